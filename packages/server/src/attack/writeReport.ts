import { createHash } from 'node:crypto'
import type { Finding } from './Finding.ts'
import type { AttackReport } from './runAttack.ts'

/** The report for people. */
export function writeText(report: AttackReport): string {
  const { classes, findings, remains, requests, limited, seconds, stopped } = report
  const skipped = classes.flatMap((each) => each.skipped.map((one) => `- ${each.class}, ${one.case}: ${one.reason}`))
  const cases = classes.reduce((sum, each) => sum + each.cases, 0)
  const rows = classes.map(
    (each) =>
      `${each.findings > 0 ? '✗' : '✓'} ${each.class.padEnd(14)} ${count(each.cases)} cases ${count(each.requests)} requests ${count(each.findings)} findings`,
  )
  return [
    `Attack on ${report.target}, ${report.startedAt}`,
    '',
    ...rows,
    '',
    ...findings.flatMap(writeFinding),
    ...(skipped.length > 0 ? ['Not run:', ...skipped, ''] : []),
    ...(remains.length > 0 ? ['Not removed:', ...remains.map((each) => `- ${each}`), ''] : []),
    ...(stopped === undefined ? [] : [`Stopped early: ${stopped}`, '']),
    `${cases} cases, ${requests} requests (${limited} refused by rate limits), ${findings.length} findings, ${seconds} s.`,
    '',
  ].join('\n')
}

const count = (number: number) => String(number).padStart(5)

function writeFinding({ class: of, case: name, sources, message, reproduce, status, excerpt }: Finding): string[] {
  return [
    `✗ ${of}: ${name}${sources === '' ? '' : ` (${sources})`}`,
    `    ${message}`,
    ...(status === undefined ? [] : [`    Response: ${status} ${(excerpt ?? '').replaceAll(/\s+/g, ' ')}`]),
    ...(reproduce === undefined ? [] : [`    ${reproduce}`]),
    '',
  ]
}

/** The report as SARIF 2.1.0, which code hosts show. */
export function writeSarif(report: AttackReport): object {
  const rules = [...new Set(report.findings.map(({ class: of }) => of))]
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'countersign attack',
            version: report.version,
            rules: rules.map((id) => ({
              id,
              shortDescription: { text: report.classes.find((each) => each.class === id)?.title ?? id },
            })),
          },
        },
        invocations: [{ executionSuccessful: report.stopped === undefined, startTimeUtc: report.startedAt }],
        results: report.findings.map((finding) => ({
          ruleId: finding.class,
          level: 'error',
          message: {
            text: [finding.case, finding.message, finding.reproduce].filter((text) => text !== undefined).join('\n'),
          },
          locations: [{ physicalLocation: { artifactLocation: { uri: report.target } } }],
          partialFingerprints: { case: digest(`${finding.class}\n${finding.case}\n${finding.message}`) },
          properties: { rule: finding.rule, sources: finding.sources, status: finding.status },
        })),
      },
    ],
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)
