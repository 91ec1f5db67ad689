import { CountersignError } from '@countersign/protocol'
import { isClassName } from '../classes/classNames.ts'
import type { Config } from '../config/Config.ts'
import { checkUrl } from './checkUrl.ts'

export type WebhookInput = {
  url?: string | undefined
  events?: string[] | undefined
  classes?: string[] | null | undefined
  description?: string | null | undefined
  enabled?: boolean | undefined
}

/** Checks where a webhook leads and what it listens to. */
export function readWebhook<Input extends WebhookInput>(config: Config, input: Input): Input {
  const { url, events, classes } = input
  return {
    ...input,
    ...(url !== undefined && { url: checkUrl(config, url) }),
    ...(events && { events: [...new Set(events)] }),
    ...(classes && { classes: readClasses(classes) }),
  }
}

function readClasses(classes: string[]): string[] {
  for (const name of classes) {
    if (!isClassName(name)) {
      throw new CountersignError('InvalidClassName', `"${name.slice(0, 60)}" cannot be the name of a class.`)
    }
    if (name === '_Session') {
      throw new CountersignError('OperationForbidden', 'Sessions have no events; listen to user.signIn instead.')
    }
  }
  return [...new Set(classes)]
}
