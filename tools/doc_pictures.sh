#!/usr/bin/env bash
# Makes the pictures of docs/parameters.md: one scene with three values of one key each, side by side on the page.
# They are small drafts and are not kept in git.
#
#   tools/doc_pictures.sh [PROGRAM]    makes what is missing in docs/pictures, with build/release/bin/tendril by default
#   tools/doc_pictures.sh --list       names all pictures, and makes none
#   tools/doc_pictures.sh --hero FILE [PROGRAM]  makes the picture at the top of README.md (JPEG, needs ffmpeg; some minutes)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=docs/pictures
program=build/release/bin/tendril
mode=make
case ${1:-} in
--list) mode=list ;;
--hero) mode=hero program=${3:-$program} ;;
?*) program=$1 ;;
esac

# picture NAME SCENE OPTION...
picture() {
    local file=$folder/$1.png
    if [[ $mode == list ]]; then
        printf '%s.png\n' "$1"
    elif [[ ! -f $file ]]; then
        "$program" render "$2" --size 300x300 --quiet --out "$file" "${@:3}"
    fi
}

# three NAME KEY A B C SCENE OPTION...: NAME_1 to NAME_3, with KEY at each value.
three() {
    local name=$1 key=$2 values=("$3" "$4" "$5") i
    for i in 1 2 3; do picture "${name}_$i" "${@:6}" --set "$key=${values[i - 1]}"; done
}

# Few thick strands stand for many, seen from the side and from near.
few=(--set groom.strands=2500 --set groom.particles=24 --set render.width_scale=6 --azimuth 2
    --set render.target=[0,0.15,-0.02] --set render.distance=1.05)
# As it is groomed: a single step, nothing has moved yet.
groomed=(fig2_both --frame 1 "${few[@]}" --set groom.curl_phase=0.3 --set sim.settle=0 --set sim.gravity=0
    --set interaction.method=none)
# After it has found its place.
settled=(fig2_both --frame 1 "${few[@]}" --set groom.curl_phase=0.3 --set sim.settle=2)
# A coat of fur, groomed.
coat=(fur --frame 1 --set sim.settle=0 --set groom.strands=9000 --set groom.length=0.06 --set sim.gravity=0
    --set render.width_scale=14 --set render.skin=[0.3,0.2,0.12] --azimuth 1.2 --zoom 1.1)
# A rope that is dragged to and fro, some time later.
rope=(rope_drag --set groom.rope_width=0.02 --camera orbit --set render.target=[-0.27,-0.2,0] --set render.distance=2
    --azimuth 0 --elevation 0)
# Long hair that the wind has caught.
blown=(long_hair --set groom.strands=1500 --set groom.particles=20 --set sim.settle=1 --set wind.start=0
    --set wind.duration=0 --set body.clip=still --set render.width_scale=8 --camera orbit
    --set render.target=[0,0.13,-0.05] --set render.distance=1.2 --azimuth 1.2 --set contact.layer=0.004)

[[ $mode == list ]] || mkdir -p "$folder"
if [[ $mode == hero ]]; then
    "$program" render girl --frame 40 --quality good --size 1000x460 --hair red --azimuth 1.75 \
        --set render.samples=40 --set render.target=[0,0.125,-0.13] --set render.distance=1.06 \
        --set groom.length=0.42 --set groom.root_angle=1.95 --set sim.settle=1.5 --set body.collide=shapes \
        --set wind.velocity=[1,0.8,-3] --set wind.turbulence=5 --set wind.turbulence_size=0.6 \
        --out "$folder/hero.png"
    ffmpeg -loglevel error -y -i "$folder/hero.png" -q:v 3 "$2"
    exit
fi

# The groom
three curl_radius groom.curl_radius 0.003 0.008 0.016 "${groomed[@]}" --set groom.style=curly
three curl_pitch groom.curl_pitch 0.02 0.05 0.12 "${groomed[@]}" --set groom.style=curly
three clump groom.clump 0 0.4 0.9 "${groomed[@]}" --set groom.curl_radius=0.003
three frizz groom.frizz 0 0.2 0.8 "${groomed[@]}" --set groom.style=straight
three lie groom.lie 0 0.5 0.9 "${coat[@]}"

# The method
three velocity_correction solver.velocity_correction 0.5 0.9 1 "${rope[@]}" --frame 190
three substeps sim.substeps 1 4 16 "${rope[@]}" --frame 190 --set solver.velocity_correction=1
three bend_limit solver.bend_limit 0 0.98 0.998 "${rope[@]}" --frame 190 --set groom.particles=10 \
    --set sim.substeps=4
three style solver.style 0 0.5 1 "${settled[@]}" --set solver.type=tractrix_split --set interaction.method=none \
    --set sim.settle=8

# The shape
three local shape.local 5 50 1000 "${settled[@]}" --set shape.global=0
three global shape.global 0 30 200 "${settled[@]}" --set shape.local=10
three fade shape.fade 0 0.8 1 "${settled[@]}" --set shape.local=50 --set shape.global=50

# Hair against hair, bodies, air
three repulsion interaction.repulsion 0 5 20 "${settled[@]}" --set shape.local=5 --set shape.global=0
three layer contact.layer 0 0.01 0.03 "${blown[@]}" --frame 1 --set sim.settle=3
three wind wind.velocity [0,0,-1] [0,0.5,-3] [0,1,-8] "${blown[@]}" --frame 45 --set wind.turbulence=0
three turbulence wind.turbulence 0 2 6 "${blown[@]}" --frame 45 --set wind.velocity=[0,0.5,-2.5] \
    --set wind.turbulence_size=0.6

# The picture
picture hair_1 "${settled[@]}" --hair black
picture hair_2 "${settled[@]}" --hair blonde
picture hair_3 "${settled[@]}" --hair red
