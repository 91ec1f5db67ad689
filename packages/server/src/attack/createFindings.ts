import type { Answer, Sent } from './createTarget.ts'
import type { CaseTitle, Finding } from './Finding.ts'

type Parts = {
  /** Replaces secrets by names of variables. */
  hide(text: string): string
  /** Writes the command that repeats a request. */
  reproduce(sent: Sent): string
}

const mostFindings = 500

/** Findings of the attack, each with the case that was running. */
export function createFindings({ hide, reproduce }: Parts) {
  const findings: Finding[] = []
  const seen = new Set<string>()
  let current: CaseTitle | undefined

  function report(rule: Finding['rule'], answer: Answer | undefined, message: string): void {
    const { name = 'setup', sources = '', class: of = 'bodies' } = current ?? {}
    // One finding for each place: the first request is enough to reproduce it.
    const key = [of, name, rule, message].join('\n')
    if (seen.has(key) || findings.length >= mostFindings) return
    seen.add(key)
    findings.push({
      class: of,
      case: name,
      sources,
      rule,
      message: hide(message),
      ...(answer && {
        reproduce: reproduce(answer.sent),
        status: answer.status,
        excerpt: hide(answer.text.slice(0, 300)),
      }),
    })
  }

  return {
    findings,
    report,
    begin(next: CaseTitle | undefined) {
      current = next
    },
    /** A refusal is a 4xx, and so is a reached limit. */
    refused(answer: Answer, message: string, rule: Finding['rule'] = 'accepted'): void {
      if (answer.status < 400) report(rule, answer, message)
    },
    check(holds: boolean, answer: Answer | undefined, message: string, rule: Finding['rule'] = 'accepted'): void {
      if (!holds) report(rule, answer, message)
    },
  }
}
