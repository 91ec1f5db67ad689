import { readConfig } from '../config/readConfig.ts'
import { examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/Finding.ts'
import type { Arguments } from './readArguments.ts'

const marks = { ok: '✓', warning: '!', fault: '✗', skipped: '-' }

/** Examines the installation. Ends with 1 where there is a fault, with 0 otherwise. */
export async function runDoctor({ flags, configFile, options }: Arguments): Promise<void> {
  const { json, mail } = options
  const findings = await examine({
    loadConfig: () => readConfig({ flags, configFile }),
    mailTo: mail,
    ...(!json && { onFinding: (finding) => process.stdout.write(write(finding)) }),
  })
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
  const [faults, warnings] = [count('fault'), count('warning')]
  process.stdout.write(
    json
      ? `${JSON.stringify({ faults, warnings, findings }, null, 2)}\n`
      : `\n${several(faults, 'fault')}, ${several(warnings, 'warning')}, ${several(count('ok'), 'check')} passed, ${count('skipped')} skipped.\n`,
  )
  process.exitCode = faults > 0 ? 1 : 0
}

function write({ area, check, status, message, meaning, fix }: Finding): string {
  const rest = [meaning, fix && `Fix: ${fix}`].filter((line) => line !== undefined)
  return `${[`${marks[status]} ${area}, ${check}: ${message}`, ...rest.map((line) => `    ${line}`)].join('\n')}\n`
}

const several = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`
