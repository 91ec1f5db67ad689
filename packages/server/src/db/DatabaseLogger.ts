type Log = (details: object, message: string) => void

/** The part of the server's logger that the database room writes to. */
export type DatabaseLogger = { info: Log; warn: Log; error: Log }
