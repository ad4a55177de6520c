/**
 * The weight that `Accept` gives a type it names, from 0 to 1; 0 where it does not name it, because wildcards ask for
 * nothing special. RFC 9110, 12.5.1.
 */
export const weightOf = (accept: string | undefined, type: string): number => {
  // Few callers name a type of ours, and every refusal passes through here.
  if (accept?.toLowerCase().includes(type) !== true) return 0
  for (const one of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = one.split(';').map((part) => part.trim())
    if (name !== type) continue
    const weight = parameters.map((parameter) => /^q\s*=\s*([\d.]+)$/.exec(parameter)?.[1]).find(Boolean)
    return weight === undefined ? 1 : Number(weight) || 0
  }
  return 0
}
