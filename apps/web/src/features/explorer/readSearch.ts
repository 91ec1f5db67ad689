export type Search = { kind: 'block' | 'tx' | 'address' | 'name'; value: string } | { kind: 'unknown' }

const unseen = /[\p{Cf}\p{Cc}]/gu
/** Alone or by thousands, as each language writes them: 1,234 and 1.234 and 1 234, but neither 1.5 nor 10.0.0.1. */
const number = /^#?\s*(\d{1,15}|\d{1,3}(?:([\s,.'’_])\d{3})(?:\2\d{3}){0,3})$/

/** Parses the search box: a block number, a hash, an address or a name. */
export function readSearch(text: string): Search {
  const value = readLink(text.replace(unseen, '').trim())
  const [, digits] = number.exec(value.normalize('NFKC')) ?? []
  if (digits) return { kind: 'block', value: String(Number(digits.replace(/\D/g, ''))) }
  if (/^(latest|finalized)$/i.test(value)) return { kind: 'block', value: value.toLowerCase() }
  if (/^0x[0-9a-f]{64}$/i.test(value)) return { kind: 'tx', value: value.toLowerCase() }
  if (/^0x[0-9a-f]{40}$/i.test(value)) return { kind: 'address', value: value.toLowerCase() }
  if (!/^[\d.]+$/.test(value) && /^[^\s/.:?#@]+(\.[^\s/.:?#@]+)+$/.test(value))
    return { kind: 'name', value: value.toLowerCase() }
  return { kind: 'unknown' }
}

/** A page of some explorer stands for what it is about: the last part of its path that could be that. */
function readLink(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  const parts = new URL(text).pathname.split('/').reverse()
  return parts.find((part) => /^(0x([0-9a-f]{40}|[0-9a-f]{64})|\d+)$/i.test(part)) ?? text
}
