import { type Client, ValidationError } from '@countersign/react/core'

/** Throws unless the client has a store on the device, and the class in it. */
export function requireKept({ internal: { offline } }: Client, className?: string): void {
  if (offline && (className === undefined || offline.keeps(className))) return
  throw new ValidationError(
    `${className ? `${className} is not` : 'Nothing is'} kept on this device.`,
    'Give the provider a client with offline: offline({ classes }).',
  )
}
