/** Violation of an invariant. */
export type FuzzFinding = {
  rule:
    | 'serverError'
    | 'leak'
    | 'foreignData'
    | 'foreignWrite'
    | 'eventLoop'
    | 'memory'
    | 'noAnswer'
    | 'crash'
    | 'header'
    | 'integrity'
    | 'import'
  message: string
  endpoint: string
  /** Request or frame, to reproduce it. */
  input: string
}
