import type { FindingRecord } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

declare module '../context/Context.ts' {
  interface Services {
    /** Runs the checks of the doctor. Set by the command that starts the server. */
    examine?: () => Promise<FindingRecord[]>
    findings?: { at: number; results: Promise<FindingRecord[]> }
  }
}

/** Milliseconds for which the findings stay: the checks connect to the database, mail server and nodes. */
const lifetime = 60_000

async function listFindings({ clock, services }: Context): Promise<{ results: FindingRecord[] }> {
  const now = clock.ms()
  if (!services.findings || now - services.findings.at >= lifetime) {
    const findings = { at: now, results: services.examine?.() ?? Promise.resolve([]) }
    services.findings = findings
    findings.results.catch(() => {
      if (services.findings === findings) delete services.findings
    })
  }
  return { results: await services.findings.results }
}

export const listFindingsEndpoint = defineEndpoint('listFindings', {
  handle: ({ context }) => listFindings(context),
})
