import { type ChangeOfHolder, changesOfHolder, fateOf, type Power, powers } from '../../users/holders/powers.ts'

const factors: Power[] = ['second factor', 'remembered browser']

/** The tables of docs/security.md, from the table in the code. */
export function describeHolders(): string {
  const names = Object.keys(powers) as Power[]
  const openers = names.filter((name) => !factors.includes(name))
  return [describeTable('event', openers), describeTable('event, with a second factor', factors)].join('\n\n')
}

function describeTable(title: string, columns: Power[]): string {
  const cell = (change: ChangeOfHolder, power: Power) => {
    const fate = fateOf(change, power)
    return fate === 'stays' ? 'stays' : `**${fate}**`
  }
  const rows = (Object.keys(changesOfHolder) as ChangeOfHolder[]).map(
    (change) => `| ${change} | ${columns.map((power) => cell(change, power)).join(' | ')} |`,
  )
  return [`| ${title} | ${columns.join(' | ')} |`, `| --- |${' --- |'.repeat(columns.length)}`, ...rows].join('\n')
}
