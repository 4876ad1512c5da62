// Writes vectors.json: what golang.org/x/mod/sumdb (packages note and tlog) says of keys, notes and proofs.
//
// Run on Debian 12 with golang-go 2:1.19~1 (Go 1.19.8) and golang-golang-x-mod-dev 0.7.0-1:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run tests/data/log/vectors.go > tests/data/log/vectors.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const most = 70

type key struct{ Signer, Verifier string }
type signed struct{ Text, Note string }
type opened struct {
	Note  []byte
	Keys  []int
	Error string
}
type record struct {
	Size, Index int64
	Proof       []tlog.Hash
	Right       bool
}
type growth struct {
	Size, Old int64
	Proof     []tlog.Hash
	Right     bool
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func entry(i int64) []byte { return []byte(fmt.Sprintf("entry %d", i)) }

func keys() (made []key, signers []note.Signer, verifiers []note.Verifier) {
	for i, name := range []string{"example.org/table-1", "Señor", "k2"} {
		skey, vkey, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{byte(i + 1)}, 64)), name)
		check(err)
		signer, err := note.NewSigner(skey)
		check(err)
		verifier, err := note.NewVerifier(vkey)
		check(err)
		made, signers, verifiers = append(made, key{skey, vkey}), append(signers, signer), append(verifiers, verifier)
	}
	return
}

func open(data []byte, which []int, verifiers []note.Verifier) opened {
	var known []note.Verifier
	for _, i := range which {
		known = append(known, verifiers[i])
	}
	_, err := note.Open(data, note.VerifierList(known...))
	said := ""
	if err != nil {
		said = err.Error()
	}
	return opened{data, which, said}
}

func notes(signers []note.Signer, verifiers []note.Verifier) (good []signed, tried []opened) {
	for _, text := range []string{"a line\n", "\n", "two\n\nparts\n", "— no signature AAAA\n", "è\u2028 \u00a0\n"} {
		made, err := note.Sign(&note.Note{Text: text}, signers...)
		check(err)
		good = append(good, signed{text, string(made)})
		tried = append(tried, open(made, []int{0}, verifiers), open(made, []int{0, 1, 2}, verifiers), open(made, nil, verifiers))
	}
	one, err := note.Sign(&note.Note{Text: "a line\n"}, signers[0])
	check(err)
	line := string(one[len("a line\n\n"):])
	spoiled := strings.Replace(line, "A", "B", 1)
	for _, data := range []string{
		"", "\n", "\n\n", "a line\n", "a line\n\n", "a line\n" + line, "a line\n\n" + line + "\n",
		"a line\n\n" + strings.TrimSuffix(line, "\n"), "a line\n\n" + line + "more\n", "a line\n\n" + line + line,
		"a line\n\n" + spoiled, "a line\n\n" + line + spoiled, "b line\n\n" + line, "a line\n\n\n" + line,
		"a\tline\n\n" + line, "a line\r\n\n" + line, "\xff\n\n" + line, "a line\n\n-" + line[3:], "a line\n\n—" + line[4:],
		"a line\n\n— example.org/table-1 AAAA\n", "a line\n\n— example.org/table-1 AAAAAA==\n",
		"a line\n\n— example.org/table-1 AAAAAAA=\n", "a line\n\n— example.org/table-1 !\n", "a line\n\n— a+b AAAAAAA=\n",
		"a line\n\n— a\u00a0b AAAAAAA=\n", "a line\n\n—  AAAAAAA=\n", "a line\n\n" + strings.Repeat("— x AAAAAAA=\n", 99) + line,
		"a line\n\n" + strings.Repeat("— x AAAAAAA=\n", 100) + line,
	} {
		tried = append(tried, open([]byte(data), []int{0}, verifiers))
	}
	return
}

func spoil(chance *rand.Rand, proof []tlog.Hash) []tlog.Hash {
	made := append([]tlog.Hash{}, proof...)
	switch chance.Intn(5) {
	case 0:
		if len(made) > 0 {
			made[chance.Intn(len(made))][chance.Intn(32)] ^= 1 << chance.Intn(8)
		}
	case 1:
		if len(made) > 0 {
			made = made[:len(made)-1]
		}
	case 2:
		made = append(made, tlog.RecordHash([]byte("more")))
	case 3:
		chance.Shuffle(len(made), func(i, j int) { made[i], made[j] = made[j], made[i] })
	}
	return made
}

func main() {
	made, signers, verifiers := keys()
	good, tried := notes(signers, verifiers)

	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(which []int64) ([]tlog.Hash, error) {
		var found []tlog.Hash
		for _, i := range which {
			found = append(found, stored[i])
		}
		return found, nil
	})
	roots := []tlog.Hash{}
	for n := int64(0); n <= most; n++ {
		root, err := tlog.TreeHash(n, reader)
		check(err)
		roots = append(roots, root)
		more, err := tlog.StoredHashes(n, entry(n), reader)
		check(err)
		stored = append(stored, more...)
	}
	chance := rand.New(rand.NewSource(9))
	var records []record
	var growths []growth
	for i := 0; i < 150; i++ {
		size := 1 + chance.Int63n(most)
		index := chance.Int63n(size)
		proof, err := tlog.ProveRecord(size, index, reader)
		check(err)
		said, shown := proof, index
		if i%2 == 1 {
			said, shown = spoil(chance, proof), (index+chance.Int63n(2))%size
		}
		err = tlog.CheckRecord(said, size, roots[size], shown, tlog.RecordHash(entry(index)))
		records = append(records, record{size, shown, said, err == nil && shown == index})
		if err == nil && shown != index {
			panic("a proof of two places")
		}

		old := 1 + chance.Int63n(size)
		tree, err := tlog.ProveTree(size, old, reader)
		check(err)
		grown, from := []tlog.Hash(tree), old
		if i%2 == 1 {
			grown, from = spoil(chance, tree), 1+(old-1+chance.Int63n(2))%size
		}
		err = tlog.CheckTree(grown, size, roots[size], from, roots[from])
		growths = append(growths, growth{size, from, grown, err == nil})
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	check(out.Encode(map[string]interface{}{
		"made_by": "golang.org/x/mod/sumdb 0.7.0 (Debian golang-golang-x-mod-dev 0.7.0-1, Go 1.19.8), by vectors.go",
		"keys":    made, "signed": good, "opened": tried, "roots": roots, "records": records, "growths": growths,
	}))
}
