import type { WireFields, WireValue } from '@countersign/protocol'

export function selectFields(fields: WireFields, keep: (name: string, value: WireValue) => boolean): WireFields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => keep(name, value)))
}
