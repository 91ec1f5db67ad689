import type { ClassStep } from './applySteps.ts'
import type { FieldType } from './ClassSchema.ts'

const text: FieldType = { type: 'String' }
const number: FieldType = { type: 'Number' }
const object: FieldType = { type: 'Object' }
const list: FieldType = { type: 'Array' }
const date: FieldType = { type: 'Date' }

/** The fields that a class of the server's own starts with, as parse-server has them. */
const systemFields = new Map<string, Record<string, FieldType>>([
  [
    '_Installation',
    {
      installationId: text,
      deviceToken: text,
      channels: list,
      deviceType: text,
      pushType: text,
      GCMSenderId: text,
      timeZone: text,
      localeIdentifier: text,
      appVersion: text,
      appName: text,
      appIdentifier: text,
      badge: number,
      parseVersion: text,
    },
  ],
  [
    '_Product',
    {
      productIdentifier: text,
      download: { type: 'File' },
      downloadName: text,
      icon: { type: 'File' },
      order: number,
      title: text,
      subtitle: text,
    },
  ],
  [
    '_PushStatus',
    {
      pushTime: text,
      source: text,
      query: text,
      payload: text,
      title: text,
      expiry: number,
      expiration_interval: number,
      status: text,
      numSent: number,
      numFailed: number,
      pushHash: text,
      errorMessage: object,
      sentPerType: object,
      failedPerType: object,
      sentPerUTCOffset: object,
      failedPerUTCOffset: object,
      count: number,
    },
  ],
  [
    '_JobStatus',
    {
      jobName: text,
      source: text,
      status: text,
      message: text,
      params: object,
      finishedAt: date,
      progress: number,
      attempts: number,
    },
  ],
  [
    '_JobSchedule',
    {
      jobName: text,
      description: text,
      params: text,
      startAfter: text,
      daysOfWeek: list,
      timeOfDay: text,
      lastRun: number,
      repeatMinutes: number,
      cron: text,
      timeZone: text,
    },
  ],
  ['_Audience', { name: text, query: text, lastUsed: date, timesUsed: number }],
])

/** Fields of classes that the first migrations make. */
const firstFields = new Map<string, Record<string, FieldType>>([
  [
    '_User',
    {
      username: text,
      email: text,
      emailVerified: { type: 'Boolean' },
      accounts: list,
      ethAddress: text,
      solAccounts: list,
      solAddress: text,
    },
  ],
  [
    '_Session',
    {
      user: { type: 'Pointer', targetClass: '_User' },
      expiresAt: date,
      createdWith: object,
      installationId: text,
      userAgent: text,
      ipAddress: text,
      lastUsedAt: date,
    },
  ],
  ['_Role', { name: text }],
])

const firstRelations = new Map([['_Role', ['users', 'roles']]])

/** Returns true if the server needs the field, so that operators cannot change or drop it. */
export function isSystemField(className: string, name: string): boolean {
  const fields = systemFields.get(className) ?? firstFields.get(className) ?? {}
  return Object.hasOwn(fields, name) || (firstRelations.get(className)?.includes(name) ?? false)
}

/** The steps that make a class with what it starts with. */
export function startOf(className: string): ClassStep[] {
  const fields = Object.entries(systemFields.get(className) ?? {})
  return [{ kind: 'createClass' }, ...fields.map(([name, field]): ClassStep => ({ kind: 'addField', name, field }))]
}
