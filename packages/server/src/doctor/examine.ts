import { statfs } from 'node:fs/promises'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { checkAddress } from './checkAddress.ts'
import { checkChains } from './checkChains.ts'
import { checkConfiguration } from './checkConfiguration.ts'
import { checkDatabase } from './checkDatabase.ts'
import { checkMachine } from './checkMachine.ts'
import { checkMail } from './checkMail.ts'
import { checkStorage } from './checkStorage.ts'
import { type Area, createReport, type Finding, type Report } from './Finding.ts'
import type { Machine } from './Machine.ts'
import { createRedactor } from './redact.ts'

export const thisMachine: Machine = {
  nodeVersion: process.versions.node,
  now: Date.now,
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  },
}

export type ExamineOptions = {
  loadConfig: () => Promise<Config>
  machine?: Machine
  /** Recipient of a test mail; none is sent without it. */
  mailTo?: string | undefined
  /** Called with each finding as soon as there is one. */
  onFinding?: (finding: Finding) => void
}

/**
 * Checks everything that a working installation needs and reports problems. Creates nothing, changes nothing
 * permanently, and connects only to hosts in the configuration. No finding contains a secret of the configuration.
 */
export async function examine(options: ExamineOptions): Promise<Finding[]> {
  const { loadConfig, machine = thisMachine, mailTo, onFinding } = options
  const findings: Finding[] = []
  let redact = (text: string) => text
  const add = (finding: Finding) => {
    const shown = { ...finding, message: redact(finding.message) }
    findings.push(shown)
    onFinding?.(shown)
  }

  const first = createReport('configuration', add)
  const config = await loadConfig().catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error
    first.fault('settings', error.message, 'The server does not start.', 'Correct these settings.')
  })
  if (!config) return findings
  redact = createRedactor(config)

  const areas: [Area, (report: Report) => Promise<void>][] = [
    ['configuration', async (report) => checkConfiguration(config, report)],
    ['machine', (report) => checkMachine(config, machine, report)],
    ['database', (report) => checkDatabase(config, machine, report)],
    ['address', (report) => checkAddress(config, machine, report)],
    ['mail', (report) => checkMail(config, mailTo, report)],
    ['chains', (report) => checkChains(config, machine, report)],
    ['storage', (report) => checkStorage(config, report)],
  ]
  for (const [area, check] of areas) {
    const report = createReport(area, add)
    await check(report).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      report.fault(area, reason.slice(0, 300), 'This check failed to run.', 'Report this as a bug in Countersign.')
    })
  }
  return findings
}
