import type { Caller } from '../../context/Caller.ts'
import { type AgentGate, callEndpoint } from './callEndpoint.ts'

/**
 * Fields of a class for an agent. The class is read once, so that a person without rights learns nothing of it, and fields
 * that are hidden from anyone are left out.
 */
export async function describeClass(gate: AgentGate, caller: Caller, className: string): Promise<object> {
  const path = `/classes/${encodeURIComponent(className)}`
  await callEndpoint(gate, caller, { method: 'GET', path, body: { limit: 0 } })
  const { fields, relations, permissions } = gate.context.classes.get(className)
  const hidden = new Set(Object.values(permissions?.protectedFields ?? {}).flat())
  const described = [...fields].filter(([name]) => !name.startsWith('_') && !hidden.has(name))
  const related = [...relations].filter(([name]) => !hidden.has(name))
  return {
    className,
    fields: Object.fromEntries([
      ...described,
      ...related.map(([name, targetClass]) => [name, { type: 'Relation', targetClass }] as const),
    ]),
  }
}
