#!/bin/sh
# The commands that check, deal, settle, price, play and tell harbour-1. Run from the repository's root;
# BACCARAT says how the program is called, such as "python -m baccarat". What is written goes to $OUT.
set -u
BACCARAT=${BACCARAT:-baccarat}
D=tests/data/outsider
E="--edition $D/harbour.toml"
H=$D/harbour-house.toml
OUT=${OUT:-$(mktemp -d)}
say() { printf '\n== %s\n' "$*"; }

# how the two files were begun (they exist now, and are kept):
#   baccarat rules new-edition harbour-1 --like ma-midi-4 --title "Harbour, …" --to tests/data/outsider/harbour.toml
#   baccarat rules new harbour-1 --edition tests/data/outsider/harbour.toml --to tests/data/outsider/harbour-house.toml

say check
$BACCARAT rules check $H $E
$BACCARAT rules check $H $E --set vig_rate=5 --set tie_odds=7 --set lighthouse_table=east # three faults, status 1
$BACCARAT rules show harbour-1 H.1 $E
$BACCARAT rules coverage harbour-1 --state unaccounted $E
$BACCARAT rules diff ma-midi-4 $D/harbour.toml >"$OUT/diff.txt"
head -3 "$OUT/diff.txt"

say deal
$BACCARAT deal $H 2s 6h Kd Kc 5c 3s -w 3:banker:103 -w 3:lighthouse:10 -w 5:player:25 -w 5:dragon7:5 $E
$BACCARAT deal $H As 7h 3d Kc 5c -w 1:player:50 -w 1:lighthouse:7 -w 2:banker:25 $E
$BACCARAT deal $H Ks Ah Kd 2c 2d 4c -w 1:banker:33 -w 1:dragon7:5 -w 4:banker:177 -w 4:panda8:5 -w 2:tie:5 $E
$BACCARAT deal $H 2s 6h Kd Kc 4c 3s -w 3:banker:25 $E # a card too many: the Banker stays on 6 against a 4; status 1
$BACCARAT deal $H --shoe --seed "quay 1" -w 2:banker:103 -w 2:lighthouse:7 --json $E >"$OUT/shoe.json"

say settle
$BACCARAT settle $D/records.jsonl $E >"$OUT/settled.jsonl" # each with what is expected; status 0
$BACCARAT settle $D/refused.jsonl $E                       # refused, as expected; status 1

say price
$BACCARAT price $H $E
$BACCARAT price $H lighthouse $E
$BACCARAT price $H banker --stake 103 $E
$BACCARAT compare $H --set lighthouse_table=south $E
$BACCARAT price $H --xlsx "$OUT/par.xlsx" --html "$OUT/report.html" $E

say play
$BACCARAT play $H --auto --clauses --seed "harbour lights" $E >"$OUT/play.txt"
tail -1 "$OUT/play.txt"
$BACCARAT play $H --seat 3 --seed "harbour lights" --script 'banker 103; lighthouse 10; deal; why; quit' $E >"$OUT/round.txt"

say run and tell
$BACCARAT run $D/evening.jsonl $E >"$OUT/journal.jsonl" # three acts out of order are refused; status 1
$BACCARAT transcript "$OUT/journal.jsonl" --numbers $E
$BACCARAT price $H lighthouse --journal "$OUT/journal.jsonl" $E
