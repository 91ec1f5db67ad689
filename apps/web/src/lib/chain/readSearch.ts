export type Search = { kind: 'block' | 'tx' | 'address' | 'name'; value: string } | { kind: 'unknown' }

/** What someone typed into the box: the number of a block, a hash, an address or a name. */
export function readSearch(text: string): Search {
  const value = text.trim()
  const number = value.replace(/[\s,.'_]/g, '')
  if (/^#?\d{1,15}$/.test(number)) return { kind: 'block', value: String(Number(number.replace('#', ''))) }
  if (/^(latest|finalized)$/i.test(value)) return { kind: 'block', value: value.toLowerCase() }
  if (/^0x[0-9a-f]{64}$/i.test(value)) return { kind: 'tx', value: value.toLowerCase() }
  if (/^0x[0-9a-f]{40}$/i.test(value)) return { kind: 'address', value: value.toLowerCase() }
  if (!value.startsWith('0x') && /^[^\s/.]+(\.[^\s/.]+)+$/.test(value))
    return { kind: 'name', value: value.toLowerCase() }
  return { kind: 'unknown' }
}
