/// The index of the gallery, as it is written when the page is built and read when it opens.

export type Group = 'hair' | 'fur' | 'ropes' | 'strings' | 'papers';
export interface CatalogueScene {
    name: string;
    title: string;
    about: string;
    group: Group;
    path: string; // of the TOML, from the folder of the index
    files: string[]; // that it refers to, from there too
    overrides: [string, string][]; // with which the page opens it
}
export interface CatalogueIndex {
    scenes: CatalogueScene[];
    leftOut: { name: string; why: string }[];
}
