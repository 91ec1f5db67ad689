import { CountersignError, type WireFields } from '@countersign/protocol'
import { isClassName } from '../classes/classNames.ts'
import type { Config } from '../config/Config.ts'
import { checkUrl } from './checkUrl.ts'

export type WebhookInput = {
  url?: string
  events?: string[]
  classes?: string[] | null
  description?: string | null
  enabled?: boolean
}

/** What happened to objects, and what happened to accounts: the latter as the activity of a user names it. */
const eventPattern = /^(object\.(created|updated|deleted)|user\.[a-zA-Z]{1,40})$/

/** Checks what a webhook is to be, member by member; those that are absent stay as they are. */
export function readWebhook(config: Config, input: WireFields): WebhookInput {
  const { url, events, classes, description, enabled } = input
  return {
    ...(url !== undefined && { url: checkUrl(config, url) }),
    ...(events !== undefined && { events: readEvents(events) }),
    ...(classes !== undefined && { classes: classes === null ? null : readClasses(classes) }),
    ...(description !== undefined && { description: description === null ? null : readText(description) }),
    ...(enabled !== undefined && { enabled: readFlag(enabled) }),
  }
}

function readEvents(value: unknown): string[] {
  const events = readTexts('events', value)
  const odd = events.find((event) => !eventPattern.test(event))
  if (odd !== undefined) {
    throw new CountersignError(
      'InvalidValue',
      `There is no event "${odd.slice(0, 60)}". There are object.created, object.updated, object.deleted, and user. with what the activity of a user names, such as user.signUp and user.signIn.`,
    )
  }
  return events
}

function readClasses(value: unknown): string[] {
  const classes = readTexts('classes', value)
  for (const name of classes) {
    if (!isClassName(name)) {
      throw new CountersignError('InvalidClassName', `"${name.slice(0, 60)}" cannot be the name of a class.`)
    }
    if (name === '_Session') {
      throw new CountersignError('OperationForbidden', 'Sessions are not told; listen to user.signIn instead.')
    }
  }
  return classes
}

function readTexts(name: string, value: unknown): string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= 100
  if (!isList || !value.every((item): item is string => typeof item === 'string')) {
    throw new CountersignError('IncorrectType', `${name} of a webhook must be a list of 1 to 100 texts.`)
  }
  return [...new Set(value)]
}

function readText(value: unknown): string {
  if (typeof value === 'string' && value.length <= 500) return value
  throw new CountersignError('IncorrectType', 'description of a webhook must be a text of 500 characters at most.')
}

function readFlag(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new CountersignError('IncorrectType', 'enabled of a webhook must be true or false.')
}
