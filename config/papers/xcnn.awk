# Parts of HindEnCorp for xcnn.yaml, whose comment says how this is called: of the pairs with three
# different words or more that are no stop words, in both languages and in the order of the file,
# the first 125,000 train, as in the authors' code; 1,000 validate; and the next 24,000 test, of
# which some are left out for words that are rare (the paper has 21,500).
# Before the variable `pairs` is set, files are lists of stop words.

function few(text,  words, seen, i, n) {
  split(tolower(text), words, " ")
  for (i in words)
    if (!(words[i] in stop) && !seen[words[i]]++) n++
  return n < 3
}

BEGIN { FS = "\t"; print "concept\ten\thi" }
!pairs { stop[$1]; next }
few($4) || few($5) { next }
++n > 150000 { exit }
{ print (n <= 125000 ? "train" : n <= 126000 ? "validation" : "test") "/" n "\t" $4 "\t" $5 }
