/**
 * How this contestant is spoken to in this workload, if it takes part.
 *
 * @param {import('../types.d.ts').Workload} workload
 * @param {{ name: string, wire: string }} contestant
 */
export function wireOf({ wires, contestants }, { name, wire }) {
  if (contestants && !contestants.includes(name)) return undefined
  return wires[name] ?? wires[wire]
}
