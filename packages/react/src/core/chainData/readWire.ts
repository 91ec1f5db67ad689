const amounts = new Set(['balance', 'amount', 'value', 'gas', 'gasPrice', 'gasUsed', 'cumulativeGasUsed'])
const raw = new Set(['metadata', 'normalized', 'call', 'logs'])

/** A chain's records as an application gets them; see `FromWire`. */
export function readWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(readWire))
  const fields = Object.entries(value).map(([name, item]) => [name, readField(name, item)] as const)
  return Object.freeze(Object.fromEntries(fields))
}

function readField(name: string, value: unknown): unknown {
  if (raw.has(name)) return value
  if (typeof value !== 'string') return readWire(value)
  if (amounts.has(name)) return BigInt(value)
  return name === 'timestamp' ? new Date(value) : value
}
