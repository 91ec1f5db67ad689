export type Area = 'configuration' | 'machine' | 'database' | 'address' | 'mail' | 'chains' | 'storage'

/** Result of one check. A fault breaks something; a warning may, or is wrong for most. */
export type Finding = {
  area: Area
  check: string
  status: 'ok' | 'warning' | 'fault' | 'skipped'
  /** Observed state. */
  message: string
  /** Consequence, if something is wrong. */
  meaning?: string
  fix?: string
}

/** Takes the findings of one area as they are made. */
export type Report = {
  ok(check: string, message: string): void
  skipped(check: string, message: string): void
  warning(check: string, message: string, meaning: string, fix: string): void
  fault(check: string, message: string, meaning: string, fix: string): void
}

export function createReport(area: Area, add: (finding: Finding) => void): Report {
  return {
    ok: (check, message) => add({ area, check, status: 'ok', message }),
    skipped: (check, message) => add({ area, check, status: 'skipped', message }),
    warning: (check, message, meaning, fix) => add({ area, check, status: 'warning', message, meaning, fix }),
    fault: (check, message, meaning, fix) => add({ area, check, status: 'fault', message, meaning, fix }),
  }
}

/** Why something failed, in one line. What a driver adds about its connection stays out: it may hold the password. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error).slice(0, 300)
  const { code } = error as NodeJS.ErrnoException
  const own = (error.message || code || error.name).split('\n', 1)[0]?.slice(0, 300) ?? ''
  // fetch says "fetch failed" and keeps the reason behind it.
  return error.cause instanceof Error && error.name !== 'ConfigError' ? reasonOf(error.cause) : own
}
