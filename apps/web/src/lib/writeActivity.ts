import type { Activity } from '@countersign/react'
import { describeActivity } from './describeActivity.ts'
import { nameDevice } from './nameDevice.ts'
import { say } from './say.ts'
import { writeCsv } from './writeCsv.ts'

export type ActivityFormat = 'csv' | 'json'

/** Activity as a file: JSON with all that is known, CSV for reading. */
export function writeActivity(format: ActivityFormat, all: readonly Activity[]): string {
  if (format === 'json') return `${JSON.stringify(all, null, 2)}\n`
  const head = [say('Time'), say('What happened'), say('Subject'), say('Device'), say('Network address'), say('Action')]
  const rows = all.map((entry) => {
    const { title, subject = '' } = describeActivity(entry)
    const device = entry.userAgent ? nameDevice(entry.userAgent) : ''
    return [entry.at.toISOString(), title, subject, device, entry.ipAddress ?? '', entry.action]
  })
  return writeCsv([head, ...rows])
}
