import { CountersignError } from '@countersign/protocol'

const longest = 128

/** The name that a client gives to a file. It never leaves its folder, and its ending is plain to see. */
export function checkFileName(name: string | undefined): string {
  if (name === undefined || name === '') throw new CountersignError('InvalidFileName', 'Filename not provided.')
  if (name.length > longest) throw new CountersignError('InvalidFileName', 'Filename too long.')
  // A dot or blank at the end hides the ending from whoever looks for one, and some systems drop it when they save.
  if (!/^[_a-zA-Z0-9][a-zA-Z0-9@. ~_-]*$/.test(name) || /[. ]$/.test(name)) {
    throw new CountersignError('InvalidFileName', 'Filename contains invalid characters.', {
      details: 'Letters, digits and @. ~_- are allowed; the first is a letter, a digit or _, and the last no dot.',
    })
  }
  return name
}

/** What stands behind the last dot, in lower case; empty where there is none. */
export function endingOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
}
