import {
  type ChangeOfHolder,
  changesOfHolder,
  type Fate,
  fateOf,
  type Power,
  powers,
} from '../../users/holders/powers.ts'

const names = Object.keys(powers) as Power[]
const others = ['recent ends', 'rests', 'moves', 'stops it'] as const satisfies Fate[]

/** The table of docs/security.md, from the table in the code. Events with the same effects share a row. */
export function describeHolders(): string {
  const events = new Map<string, string[]>()
  for (const change of Object.keys(changesOfHolder) as ChangeOfHolder[]) {
    const effects = describeEffects(change)
    events.set(effects, [...(events.get(effects) ?? []), change])
  }
  const rows = [...events].map(([effects, changes]) => `| ${changes.join('; ')} | ${effects} |`)
  return ['| event | ends | stays | other effects |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function describeEffects(change: ChangeOfHolder): string {
  const having = (fate: Fate) => names.filter((name) => fateOf(change, name) === fate)
  const [ending, staying] = [having('ends'), having('stays')]
  const other = others.flatMap((fate) => (having(fate).length > 0 ? [`${fate}: ${having(fate).join(', ')}`] : []))
  // The longer list is the rule, the other one its exceptions.
  const list = (some: Power[], isRule: boolean) =>
    some.length === names.length ? 'everything' : isRule ? 'everything else' : some.join(', ') || '–'
  const endsMore = ending.length > staying.length
  return [list(ending, endsMore), list(staying, !endsMore), other.join('; ') || '–'].join(' | ')
}
