# Prints what zsh offers for a command line, one word a line: a shell in a pseudo-terminal completes it.
zmodload zsh/zpty
zpty shell zsh -f -i
# Every offered word is printed with a mark before it is used; nothing is inserted.
zpty -w shell 'PS1=; unsetopt zle_bracketed_paste 2>/dev/null; autoload -Uz compinit; compinit -u -d /dev/null
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  typeset -a __hits; builtin compadd -A __hits "$@"; builtin compadd "$@"
  (( $#__hits )) && print -rl -- offered:${(Q)^__hits}
}
bindkey "^I" complete-word; print ready'
zpty -r shell line '*ready*' >/dev/null
zpty -w -n shell "$1"$'\t'
line=
while zpty -r -t shell chunk 2>/dev/null || { sleep 0.3; zpty -r -t shell chunk 2>/dev/null }; do line+=$chunk; done
print -r -- ${line//$'\r'/} | sed -n 's/.*offered://p' | sort -u
zpty -d shell
