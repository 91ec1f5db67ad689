import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import type { FromWorker, ToWorker } from './WorkerMessage.ts'

/** Time (ms) after which the report of this worker alone has to do. */
const patience = 5_000

export type Gathering<Question, Report> = {
  /** Reports of every worker of this server, as JSON carries them. Without workers, of this process alone. */
  ask(question: Question): Promise<Report[]>
  close(): void
}

/** Collects what every process has its own of: any worker may be asked for all of it. */
export function createGathering<Question, Report>(
  topic: string,
  report: (question: Question) => Report | Promise<Report>,
): Gathering<Question, Report> {
  if (!cluster.isWorker) return { ask: async (question) => [await report(question)], close() {} }
  const waiting = new Map<string, (reports: unknown[]) => void>()
  const send = (message: FromWorker) => process.connected && process.send?.(message)

  const receive = (message: ToWorker) => {
    if (message.kind === 'gathered') waiting.get(message.id)?.(message.reports)
    if (message.kind !== 'report' || message.topic !== topic) return
    const { id } = message
    void Promise.resolve(message.question as Question)
      .then(report)
      .then((made) => send({ kind: 'reported', id, report: made }))
      .catch(() => {})
  }
  process.on('message', receive)

  return {
    async ask(question) {
      const id = randomUUID()
      const reports = await new Promise<unknown[]>((resolve) => {
        const timer = setTimeout(resolve, patience, [])
        waiting.set(id, (found) => {
          clearTimeout(timer)
          resolve(found)
        })
        send({ kind: 'gather', id, topic, question })
      })
      waiting.delete(id)
      return reports.length > 0 ? (reports as Report[]) : [await report(question)]
    },
    close: () => void process.off('message', receive),
  }
}
