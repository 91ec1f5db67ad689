import type { AttackClass } from './AttackClass.ts'

export type CaseTitle = {
  class: AttackClass
  /** Expected behavior of the server. */
  name: string
  /** Requirements and known weaknesses that it comes from, such as `SEC-19`, `S1` or an advisory. */
  sources: string
}

export type Finding = {
  class: AttackClass
  case: string
  sources: string
  /** Violated rule, for programs. */
  rule: 'serverError' | 'leak' | 'foreignData' | 'accepted' | 'header' | 'delay' | 'limit' | 'integrity'
  message: string
  /** Command that repeats the request, with variables in place of secrets. */
  reproduce?: string
  status?: number
  /** Beginning of the response, without secrets. */
  excerpt?: string
}
