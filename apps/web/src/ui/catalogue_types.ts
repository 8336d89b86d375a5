/// The index of the gallery. It is written when the page is built and read when the page opens.

export type Group = 'hair' | 'fur' | 'ropes' | 'strings' | 'papers';
export interface CatalogueScene {
    name: string;
    title: string;
    about: string;
    group: Group;
    path: string; // of the TOML file, relative to the index
    files: string[]; // that it refers to, relative to the index
    overrides: [string, string][]; // values with which the page opens it
}
export interface CatalogueIndex {
    scenes: CatalogueScene[];
    leftOut: { name: string; why: string }[];
}
