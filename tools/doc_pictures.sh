#!/usr/bin/env bash
# Renders the pictures of docs/parameters.md, which show one scene with two or three values of one key side by side.
# They are small drafts and are not kept in git.
#
#   tools/doc_pictures.sh [PROGRAM]    renders the missing pictures in docs/pictures; PROGRAM defaults to
#                                      build/release/bin/tendril
#   tools/doc_pictures.sh --list       lists all pictures without rendering any
#   tools/doc_pictures.sh --hero FILE [PROGRAM]  renders the picture at the top of README.md (JPEG, needs ffmpeg; takes
#                                      some minutes)
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

# picture NAME SCENE OPTION...: renders a picture unless it exists, or prints its name.
picture() {
    local file=$folder/$1.png
    if [[ $mode == list ]]; then
        printf '%s.png\n' "$1"
    elif [[ ! -f $file ]]; then
        "$program" render "$2" --size 300x300 --quiet --out "$file" "${@:3}"
    fi
}

# three NAME KEY A B C SCENE OPTION...: renders NAME_1 to NAME_3, with KEY set to each of the values.
three() {
    local name=$1 key=$2 values=("$3" "$4" "$5") i
    for i in 1 2 3; do picture "${name}_$i" "${@:6}" --set "$key=${values[i - 1]}"; done
}

# two NAME KEY A B SCENE OPTION...: the same for two values.
two() {
    local name=$1 key=$2 values=("$3" "$4") i
    for i in 1 2; do picture "${name}_$i" "${@:5}" --set "$key=${values[i - 1]}"; done
}

# Few, thick strands, seen close up from the side.
few=(--set groom.strands=2500 --set groom.particles=24 --set render.width_scale=6 --azimuth 2
    --set render.target=[0,0.15,-0.02] --set render.distance=1.05)
# The rest pose, after a single step without forces.
groomed=(fig2_both --frame 1 "${few[@]}" --set groom.curl_phase=0.3 --set sim.settle=0 --set sim.gravity=0
    --set interaction.method=none)
# After the hair has settled.
settled=(fig2_both --frame 1 "${few[@]}" --set groom.curl_phase=0.3 --set sim.settle=2)
# A coat of fur in its rest pose.
coat=(fur --frame 1 --set sim.settle=0 --set groom.strands=9000 --set groom.length=0.06 --set sim.gravity=0
    --set render.width_scale=14 --set render.skin=[0.3,0.2,0.12] --azimuth 1.2 --zoom 1.1)
# A rope that has been dragged back and forth for some time.
rope=(rope_drag --set groom.rope_width=0.02 --camera orbit --set render.target=[-0.27,-0.2,0] --set render.distance=2
    --azimuth 0 --elevation 0)
# Long hair in the wind.
blown=(long_hair --set groom.strands=1500 --set groom.particles=20 --set sim.settle=1 --set wind.start=0
    --set wind.duration=0 --set body.clip=still --set render.width_scale=8 --camera orbit
    --set render.target=[0,0.13,-0.05] --set render.distance=1.2 --set contact.layer=0.004)
blown_left=("${blown[@]}" --azimuth 1.2)
# Few strands on a ball that nods, which take half a second to render. Shape and interaction are off.
ball=(bunny --set groom.strands=900 --set groom.particles=24 --set groom.length=0.14 --set groom.root_direction=[0,1,0]
    --set groom.root_angle=1.4 --set groom.clump=0 --set groom.frizz=0 --set interaction.method=none --set shape.local=0
    --set shape.global=0 --set shape.fade=0 --set render.width_scale=12 --camera orbit --set render.target=[0,-0.01,0]
    --set render.distance=0.62 --hair brown)
curls=("${ball[@]}" --set groom.style=curly --set groom.curl_radius=0.008 --set groom.curl_pitch=0.035
    --set groom.curl_phase=0.3 --set groom.lie=0.3 --set groom.droop=1.5)
# The ball does not move, and the strands have settled; or they are in their rest pose.
still=(--frame 1 --set body.clip=still)
at_rest=("${still[@]}" --set sim.settle=0 --set sim.gravity=0 --set body.collide=none)
# Few strands with large curls, in their rest pose.
locks=("${ball[@]}" "${at_rest[@]}" --set groom.style=curly --set groom.curl_radius=0.012 --set groom.strands=300
    --set groom.lie=0.6 --set groom.droop=1.5)
# Wind from the left; and curls in turbulent wind.
breeze=("${ball[@]}" --frame 60 --set body.clip=still --set groom.strands=500)
shaken=("${curls[@]}" --frame 60 --set wind.turbulence=15 --set wind.turbulence_size=0.1 --set air.drag_normal=10
    --set shape.local=20 --set shape.damping=0.2)
# A rope that hangs at rest; and five short ropes.
hang=(rope_drag --frame 1 --set sim.settle=8 --set air.drag_normal=3 --set air.drag_tangential=3
    --set groom.rope_width=0.03 --camera orbit --set render.target=[0,-0.5,0] --set render.distance=2.5 --azimuth 0
    --elevation 0)
five=(papers/boercsoek20_fig3 --frame 240)
# A string that extends horizontally from a clamp.
arm=(rope_drag --frame 1 --set sim.settle=2 --set body.clip=still --set solver.type=chain_shape
    --set solver.most_substeps=200 --set groom.clamped=true --set groom.direction=[1,0,0] --set groom.rope_width=0.012
    --set groom.particles=20 --set air.drag_normal=4 --set air.drag_tangential=4 --camera orbit
    --set render.target=[0.25,-0.2,0] --set render.distance=1.6 --azimuth 0 --elevation 0)
# A crate on a cord; threads that are pulled until they tear; a cord whose end is turned; a rope over a cylinder.
crate=(papers/rungjiratananon11_tension --frame 250 --set body.1.linear_damping=4 --set render.target=[0,-1.75,0]
    --set render.distance=8.5 --set render.width_scale=5)
threads=(tear --set groom.particles=21 --set render.width_scale=2.5 --set render.distance=3.9)
turned=(twist_loop --set groom.particles=71)
roller=(papers/rungjiratananon11_tension --frame 160 --set hold.until=0 --set body.0.position=[-0.65,0,0]
    --set groom.direction=[1,0,0] --set groom.length=1.6 --set groom.ends=free --set body.1.rigid=cylinder
    --set body.1.position=[0,-0.16,0] --set body.1.size=[0.3,0.6,0.3] --set body.1.rotation=[1.5708,0,0]
    --set body.1.mass=100000 --set body.1.linear_damping=10000 --set body.1.angular_damping=10000
    --set contact.static_friction=1 --set air.drag_normal=12 --set air.drag_tangential=0
    --set render.target=[0,-0.5,0] --set render.distance=4 --set render.width_scale=3 --azimuth 0 --elevation 0)

[[ $mode == list ]] || mkdir -p "$folder"
if [[ $mode == hero ]]; then
    "$program" render girl --frame 40 --quality good --size 1000x460 --hair red --azimuth 1.75 \
        --set render.samples=160 --set render.target=[0,0.125,-0.13] --set render.distance=1.06 \
        --set groom.length=0.42 --set groom.root_angle=1.95 --set sim.settle=1.5 --set body.collide=shapes \
        --set wind.velocity=[1,0.8,-3] --set wind.turbulence=5 --set wind.turbulence_size=0.6 \
        --out "$folder/hero.png"
    ffmpeg -loglevel error -y -i "$folder/hero.png" -q:v 3 "$2"
    exit
fi

# Time
three settle sim.settle 0 0.1 1 "${ball[@]}" "${still[@]}"
three settle_wind sim.settle_wind [0,0,0] [0,1,-7] [6,1,0] "${blown[@]}" --azimuth 0.5 --frame 1 --set sim.settle=2 \
    --set groom.strands=1000 --set groom.lie=0 --set shape.local=0 --set contact.friction=0.6

# The groom
three groom_style groom.style straight wavy curly "${ball[@]}" "${at_rest[@]}" --set groom.curl_radius=0.008 \
    --set groom.curl_pitch=0.035 --set groom.curl_phase=0.3 --set groom.lie=0.3 --set groom.droop=1.5
three strands groom.strands 100 1000 10000 "${ball[@]}" "${at_rest[@]}" --set render.width_scale=0
three particles groom.particles 5 10 40 "${locks[@]}" --set groom.curl_pitch=0.05
three length groom.length 0.03 0.08 0.16 "${ball[@]}" "${at_rest[@]}"
three length_spread groom.length_spread 0 0.3 0.9 "${ball[@]}" "${at_rest[@]}" --set groom.lie=0.2 \
    --set groom.length=0.08
three root_angle groom.root_angle 0.6 1.4 3.15 "${ball[@]}" "${at_rest[@]}" --set groom.length=0.08
three root_direction groom.root_direction [-1,0,0] [0,1,0] [1,0,0] "${ball[@]}" "${at_rest[@]}" \
    --set groom.root_angle=1 --set groom.length=0.06
three sequence groom.sequence random halton blue_noise "${ball[@]}" "${at_rest[@]}" --set groom.length=0.012 \
    --set groom.lie=0 --set render.width_scale=30
three coverage groom.coverage 0.2 0.6 1 "${ball[@]}" "${at_rest[@]}" --set groom.style=sphere --set groom.length=0.06
three guides groom.guides 0.02 0.1 1 "${ball[@]}" --frame 60 --set shape.local=20
three curl_radius groom.curl_radius 0.003 0.008 0.016 "${groomed[@]}" --set groom.style=curly
three curl_pitch groom.curl_pitch 0.02 0.05 0.12 "${groomed[@]}" --set groom.style=curly
three curl_phase groom.curl_phase 0 0.2 1 "${locks[@]}" --set groom.style=wavy --set groom.curl_pitch=0.06 \
    --set groom.strands=900
three clump groom.clump 0 0.4 0.9 "${groomed[@]}" --set groom.curl_radius=0.003
three clump_size groom.clump_size 0.005 0.015 0.04 "${ball[@]}" "${at_rest[@]}" --set groom.clump=0.9 \
    --set groom.length=0.08 --set groom.strands=3000
three frizz groom.frizz 0 0.2 0.8 "${groomed[@]}" --set groom.style=straight
three frizz_size groom.frizz_size 0.005 0.02 0.08 "${ball[@]}" "${at_rest[@]}" --set groom.style=straight \
    --set groom.frizz=0.6 --set groom.strands=300
three lie groom.lie 0 0.5 0.9 "${coat[@]}"
three lie_direction groom.lie_direction [-1,0,0] [0,-1,0] [1,0,0] "${ball[@]}" "${at_rest[@]}" --set groom.lie=0.8 \
    --set groom.length=0.06
three droop groom.droop 0 1 2.5 "${ball[@]}" "${at_rest[@]}" --set groom.lie=0 --set groom.lie_direction=[0,-1,0] \
    --set groom.curl_radius=0 --set groom.length=0.08
three span groom.span 0.3 0.7 0.95 rope_drag --frame 1 --set solver.type=direct --set body.clip=still \
    --set groom.direction=[1,0,0] --set groom.ends=both --set groom.rope_width=0.02 --camera orbit \
    --set render.target=[0.27,-0.12,0] --set render.distance=1.7 --azimuth 0 --elevation 0

# The method
three velocity_correction solver.velocity_correction 0.5 0.9 1 "${rope[@]}" --frame 190
three substeps sim.substeps 1 4 16 "${rope[@]}" --frame 190 --set solver.velocity_correction=1
three bend_limit solver.bend_limit 0 0.98 0.998 "${rope[@]}" --frame 190 --set groom.particles=10 \
    --set sim.substeps=4
three style solver.style 0 0.5 1 "${settled[@]}" --set solver.type=tractrix_split --set interaction.method=none \
    --set sim.settle=8
two backward_pass solver.backward_pass false true "${rope[@]}" --frame 150
three newton_iterations solver.newton_iterations 1 3 20 "${rope[@]}" --frame 190 --set solver.type=direct
three iterations solver.iterations 2 10 50 "${rope[@]}" --frame 190 --set solver.type=pbd
pbd=("${rope[@]}" --frame 190 --set solver.type=pbd --set solver.iterations=50)
three stiffness solver.stiffness 0.1 0.5 1 "${pbd[@]}"
three damping solver.damping 0 2 10 "${pbd[@]}"
three stretch_stiffness solver.stretch_stiffness 8000 20000 1000000 "${hang[@]}" --set solver.type=xpbd \
    --set solver.iterations=200
three bend_stiffness solver.bend_stiffness 0.01 0.1 1 "${five[@]}" --set solver.bend_distance=0.7
three bend_distance solver.bend_distance 0.5 0.8 1 "${five[@]}" --set solver.bend_stiffness=1
three bend_offset solver.bend_offset 2 4 8 "${five[@]}" --set solver.bend_stiffness=1 --set solver.bend_distance=0.7
three angle_stiffness solver.angle_stiffness 10000 30000 100000 "${rope[@]}" --frame 190 --set solver.type=xpbd \
    --set solver.iterations=50
three angle solver.angle 0 0.3 1 "${five[@]}" --set solver.angle_stiffness=0.5
three spring_stiffness solver.spring_stiffness 80 200 10000 "${hang[@]}" --set solver.type=implicit_spring
three spring_damping solver.spring_damping 0 0.05 1 "${rope[@]}" --frame 190 --set solver.type=mass_spring \
    --set solver.spring_stiffness=500
three spring_substeps solver.spring_substeps 3 10 40 "${rope[@]}" --frame 190 --set solver.type=mass_spring
three spring_iterations solver.spring_iterations 1 3 20 "${rope[@]}" --frame 190 --set solver.type=implicit_spring \
    --set solver.spring_stiffness=1e5
tressfx=("${curls[@]}" "${still[@]}" --set solver.type=tressfx)
three global_stiffness solver.global_stiffness 0 0.02 0.3 "${tressfx[@]}" --set solver.local_stiffness=0 \
    --set solver.global_range=1
three global_range solver.global_range 0.1 0.4 1 "${tressfx[@]}" --set solver.local_stiffness=0 \
    --set solver.global_stiffness=0.3
three local_stiffness solver.local_stiffness 0 0.02 0.5 "${tressfx[@]}" --set solver.global_stiffness=0
three local_iterations solver.local_iterations 0 1 10 "${tressfx[@]}" --set solver.global_stiffness=0 \
    --set solver.local_stiffness=0.02
# The ball moves back and forth, twice per second.
shock=("${curls[@]}" --frame 60 --set solver.type=tressfx --set solver.local_stiffness=0.05
    --set solver.global_stiffness=0.01 --set body.clip=sway --set body.motion_axis=[1,0,0] --set body.amplitude=0.15
    --set body.period=0.5)
three shock_acceleration solver.shock_acceleration 1 20 1000 "${shock[@]}"
three shock_follow solver.shock_follow 0 0.5 1 "${shock[@]}" --set solver.shock_acceleration=1
three shock_damping solver.shock_damping 0 20 200 "${shock[@]}" --set solver.shock_acceleration=1

# The shape
three local shape.local 5 50 1000 "${settled[@]}" --set shape.global=0
three global shape.global 0 30 200 "${settled[@]}" --set shape.local=10
three fade shape.fade 0 0.8 1 "${settled[@]}" --set shape.local=50 --set shape.global=50
three shape_damping shape.damping 0 0.5 2 "${curls[@]}" --frame 60 --set body.clip=spin --set shape.local=60
three shape_drag shape.drag 0 10 40 "${curls[@]}" --frame 60 --set body.clip=spin --set shape.local=20
three load shape.load 0 0.5 1 "${curls[@]}" "${still[@]}" --set shape.local=4 --set groom.strands=400
two sag_free shape.sag_free false true "${curls[@]}" "${still[@]}" --set shape.local=60

# Interaction, bodies, air
three friction interaction.friction 0 10 100 "${shaken[@]}" --set interaction.method=grid --set interaction.repulsion=0
three repulsion interaction.repulsion 0 5 20 "${settled[@]}" --set shape.local=5 --set shape.global=0
three tolerance interaction.tolerance 1 2 4 "${ball[@]}" "${still[@]}" --set shape.local=5 \
    --set interaction.method=grid --set interaction.repulsion=10
three sph_stiffness interaction.stiffness 0 0.02 1 "${ball[@]}" "${still[@]}" --set shape.local=5 \
    --set interaction.method=sph --set groom.particles=16
three viscosity interaction.viscosity 0 1e-3 1e-1 "${shaken[@]}" --set interaction.method=sph \
    --set interaction.stiffness=0 --set groom.particles=16
two collide body.collide none shapes "${ball[@]}" "${still[@]}"
three margin contact.margin 0.001 0.01 0.03 "${ball[@]}" "${still[@]}" --set groom.curl_radius=0
three contact_friction contact.friction 0 0.1 0.5 "${roller[@]}"
three layer contact.layer 0 0.01 0.03 "${blown_left[@]}" --frame 1 --set sim.settle=3
three drag_normal air.drag_normal 0.5 3 12 "${breeze[@]}" --set wind.velocity=[3,0,0] --set groom.curl_radius=0
three wind wind.velocity [0,0,-1] [0,0.5,-3] [0,1,-8] "${blown_left[@]}" --frame 45 --set wind.turbulence=0
three turbulence wind.turbulence 0 2 6 "${blown_left[@]}" --frame 45 --set wind.velocity=[0,0.5,-2.5] \
    --set wind.turbulence_size=0.6
three turbulence_size wind.turbulence_size 0.1 0.3 0.8 "${breeze[@]}" --set wind.velocity=[3,0,0] \
    --set wind.turbulence=5
three gust wind.gust 0 0.5 1 "${breeze[@]}" --set wind.velocity=[4,0,0] --set wind.gust_period=1 \
    --set groom.curl_radius=0

# Strings
three material groom.material rubber cotton_thread nylon "${arm[@]}" --set groom.rope_width=0.006
three bend_modulus groom.bend_modulus 1e6 3e7 3e8 "${arm[@]}"
three density groom.density 200 1100 8000 "${arm[@]}" --set groom.bend_modulus=3e7
two clamped groom.clamped false true "${arm[@]}"
three most_substeps solver.most_substeps 4 16 128 "${arm[@]}" --set groom.bend_modulus=3e8
three half_width solver.half_width 1 2 4 "${arm[@]}" --set groom.bend_modulus=3e8 --set solver.most_substeps=8
three young groom.young 1e6 3e6 1e8 "${crate[@]}" --set groom.material=rubber
three yield groom.yield 2e6 3.5e6 6e7 "${crate[@]}" --set body.1.mass=40 --set groom.plastic=5e6
three plastic groom.plastic 4e6 1e7 2e8 "${crate[@]}" --set body.1.mass=40 --set groom.yield=2e6
for i in 1 2 3; do picture "rupture_$i" "${threads[@]}" --frame $((100 + 100 * i)); done
three strength_variation groom.strength_variation 0 0.08 0.3 "${threads[@]}" --frame 290 --set groom.rupture=2.2e8
three shear_modulus groom.shear_modulus 2e5 1e6 3e6 "${turned[@]}" --frame 450 --set body.0.period=4 \
    --set body.1.period=3 --set body.1.start=1 --set solver.most_substeps=24 --set render.target=[0.47,-0.05,0] \
    --set render.distance=1.9 --set render.width_scale=1.5
three twist_reach solver.twist_reach 1 5 100 "${turned[@]}" --frame 100 --set body.0.period=1 \
    --set solver.most_substeps=8 --set render.width_scale=3
three string_friction interaction.string_friction 0 0.1 0.3 knot --frame 300 --set groom.resample=101 \
    --set render.distance=1.5 --set render.width_scale=2

# The picture
picture hair_1 "${settled[@]}" --hair black
picture hair_2 "${settled[@]}" --hair blonde
picture hair_3 "${settled[@]}" --hair red
three tip_colour groom.tip_colour [0.35,0.22,0.12] [0.8,0.5,0.2] [0.1,0.4,0.8] bunny "${at_rest[@]}" --hair groom \
    --set groom.strands=3000 --set groom.length=0.06 --set render.width_scale=8 --camera orbit \
    --set render.distance=0.5
two quality render.quality draft good "${blown_left[@]}" --frame 1 --set groom.strands=5000 \
    --set render.width_scale=4.5 --set render.samples=96
three width_scale render.width_scale 2 8 24 "${ball[@]}" "${at_rest[@]}"
three exposure render.exposure -1 0 1 "${curls[@]}" "${at_rest[@]}"
three shutter render.shutter 0 0.5 1 "${rope[@]}" --frame 190 --set render.every=4
three stripes render.stripes 0 1 4 "${turned[@]}" --frame 150 --set body.0.period=2 --set solver.most_substeps=8 \
    --set render.width_scale=3
three overlay render.overlay id speed tension "${ball[@]}" --frame 60 --set shape.local=20
