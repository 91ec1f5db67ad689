import { CountersignError } from '@countersign/protocol'

/** A pipeline that cannot be carried out. */
export function invalid(message: string): CountersignError {
  return new CountersignError('InvalidQuery', message)
}

/** A client's own word inside a message: short, so that an answer never carries a whole request back. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
