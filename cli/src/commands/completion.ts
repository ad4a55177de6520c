import type { Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { UsageError } from '../failures.ts'

/** Prints the shell script that completes this program's command lines. */
export const completion: Run = async ({ out }, line) => {
  const [shell = ''] = line.operands
  const script = scripts.get(shell)
  if (script === undefined) throw new UsageError('Which shell? Name bash, zsh or fish.')
  out.write(script)
  return exitCodes.ok
}

/* Each asks the program itself what may follow: words, each with a tab and its description. */

const bash = `# venue-data: source <(venue-data completion bash)
_venue_data() {
  local IFS=$'\\n'
  COMPREPLY=($(venue-data __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
  if [[ \${COMPREPLY[0]-} == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _venue_data venue-data
`

const zsh = `#compdef venue-data
# venue-data: source <(venue-data completion zsh), after compinit
_venue_data() {
  local -a found fields
  local word about
  while IFS=$'\\t' read -r word about; do
    if [[ $word == *= ]]; then
      fields+=("\${word//:/\\\\:}:$about")
    else
      found+=("\${word//:/\\\\:}:$about")
    fi
  done < <(venue-data __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#found + $#fields )) || { _files; return }
  (( $#found )) && _describe -V venue-data found
  (( $#fields )) && _describe -V field fields -S ''
}
compdef _venue_data venue-data
`

const fish = `# venue-data: venue-data completion fish | source
function __venue_data_complete
    set -l current (commandline -ct)
    venue-data __complete -- (commandline -opc)[2..-1] "$current" 2>/dev/null
end
complete -c venue-data -f -a '(__venue_data_complete)'
`

const scripts: ReadonlyMap<string, string> = new Map(Object.entries({ bash, zsh, fish }))
