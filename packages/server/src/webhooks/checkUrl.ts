import { isIP } from 'node:net'
import { CountersignError } from '@countersign/protocol'
import type { Config } from '../config/Config.ts'
import { isPublicAddress } from '../context/isPublicAddress.ts'

/**
 * An address that events may be sent to. What a name leads to is looked at again when it is sent, since it may lead
 * elsewhere by then.
 */
export function checkUrl({ webhooks, production }: Config, value: unknown): string {
  const url = typeof value === 'string' && value.length <= 2_000 && URL.canParse(value) ? new URL(value) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new CountersignError('InvalidValue', 'url of a webhook must be a full https:// address.')
  }
  if (url.username || url.password) {
    throw new CountersignError('InvalidValue', 'url of a webhook may not hold a password: it would stand in the log.')
  }
  const { allowPrivateAddresses } = webhooks
  if (url.protocol === 'http:' && production && !allowPrivateAddresses) {
    throw new CountersignError('InvalidValue', 'In production a webhook must use https://.')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !allowPrivateAddresses && !isPublicAddress(host)) {
    throw new CountersignError(
      'OperationForbidden',
      'This webhook leads into a private network. Set webhooks.allowPrivateAddresses if that is meant.',
    )
  }
  return url.href
}
