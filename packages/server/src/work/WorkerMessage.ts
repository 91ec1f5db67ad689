/** Messages of a worker to its supervisor. */
export type FromWorker =
  /** It serves requests. The first worker sends the text that a start prints. */
  | { kind: 'ready'; banner?: string }
  /** Asks for a report of every worker, such as metrics. */
  | { kind: 'gather'; id: string; topic: string; question: unknown }
  | { kind: 'reported'; id: string; report: unknown }

/** Messages of the supervisor to a worker. */
export type ToWorker =
  | { kind: 'stop'; drain: number }
  | { kind: 'report'; id: string; topic: string; question: unknown }
  | { kind: 'gathered'; id: string; reports: unknown[] }
