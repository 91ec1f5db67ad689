import { CountersignError } from '@countersign/protocol'
import { identifierBytes } from './shortenName.ts'

const pattern = /^[A-Za-z][A-Za-z0-9_]*$/

/** Names that reach the prototype of an object: what is kept by name in a plain object would be shadowed. */
const prototypeNames = new Set(['constructor', 'prototype'])

/** Classes that the server knows by itself. Everything else with a leading underscore is refused. */
const systemNames = new Set([
  '_User',
  '_Session',
  '_Role',
  '_Installation',
  '_Product',
  '_PushStatus',
  '_JobStatus',
  '_JobSchedule',
  '_Audience',
])

/** What the server needs to work and to be safe: these tables are never dropped. */
const keptNames = new Set(['_User', '_Session', '_Role'])

export function isClassName(name: string): boolean {
  if (systemNames.has(name)) return true
  return pattern.test(name) && name.length <= identifierBytes && !prototypeNames.has(name)
}

export function isSystemClass(name: string): boolean {
  return systemNames.has(name)
}

export function isKeptClass(name: string): boolean {
  return keptNames.has(name)
}

/** Of a class that a write names. */
export function checkClassName(name: string): void {
  if (!isClassName(name)) throw new CountersignError('InvalidJson', 'schema class name does not revalidate')
}
