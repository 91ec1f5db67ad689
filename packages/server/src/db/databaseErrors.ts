/** The database cannot be reached, or the connection was lost while a statement was under way. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** A statement, or a joining transaction, came from work whose transaction has already ended. */
export class TransactionEnded extends Error {
  override readonly name = 'TransactionEnded'
}

type Described = { code?: unknown; severity?: unknown; constraint?: unknown; message?: unknown }

const describe = (error: unknown): Described => (typeof error === 'object' && error !== null ? error : {})

const hasState = (error: unknown, state: string): boolean => describe(error).code === state

/** Another row holds the value already; of the named constraint or index where one is given. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  hasState(error, '23505') && (constraint === undefined || describe(error).constraint === constraint)

/** The row that this one refers to is gone. */
export const isForeignKeyViolation = (error: unknown): boolean => hasState(error, '23503')

/** A value that cannot be kept: out of range, there already where it must be unique, or too long for an index. */
export const isRefusedValue = (error: unknown): boolean =>
  isUniqueViolation(error) || /^(22|54)...$/.test(String(describe(error).code))

export const isUndefinedColumn = (error: unknown): boolean => hasState(error, '42703')

/** The statement took longer than it was given. */
export const isCanceled = (error: unknown): boolean => hasState(error, '57014')

export const isUndefinedTable = (error: unknown): boolean => hasState(error, '42P01')

/** A lock did not come within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => hasState(error, '55P03')

/** The database gave this transaction up in favour of another: the same work may succeed when repeated. */
export const isConflict = (error: unknown): boolean => hasState(error, '40001') || hasState(error, '40P01')

/**
 * The prepared statement no longer stands for its text on that connection: its table changed shape, or
 * preparing it failed while others were already in flight behind it. It did not run.
 */
export function isStaleStatement(error: unknown): boolean {
  const { code, message } = describe(error)
  if (code === '26000' || code === '42P05') return true
  return code === '0A000' && message === 'cached plan must not change result type'
}

const unavailableStates = new Set([
  '57P01', // the server is being stopped
  '57P02', // the server crashed
  '57P03', // the server is starting
  '57P05', // the connection was idle for too long
  '53300', // no connection left
  '53100', // no room on the disk
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT', // the socket file of a server that is not running
])

// The driver gives these no code.
const unavailableMessages =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/

export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  const { code, severity, message } = describe(error)
  // The database gave itself up, as it does where the disk refuses a write.
  if (severity === 'PANIC') return true
  if (typeof code === 'string') return unavailableStates.has(code) || /^08...$/.test(code)
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnavailable)
  return typeof message === 'string' && unavailableMessages.test(message)
}

/** Translates the driver's errors for the rest of the server. */
export function translateError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !isUnavailable(error)) return error
  return new DatabaseUnavailable(
    'The database is not available. A running statement may or may not have taken effect.',
    {
      cause: error,
    },
  )
}
