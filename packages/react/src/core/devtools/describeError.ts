import { type CountersignError, errorCodes } from '@countersign/protocol'

/** An error as developers read it: what its code is called, what it says, what to do, where it is explained. */
export function describeError(error: CountersignError): readonly (readonly [name: string, text: string])[] {
  const name = Object.entries(errorCodes).find(([, code]) => code === error.code)?.[0]
  const cause = Object(error.cause) as { code?: unknown; name?: unknown }
  const { rateLimit } = error
  return [
    ['Code', `${error.code}${name ? ` ${name}` : ''}`],
    ['Kind', error.name],
    ['Status', String(error.status)],
    ...(error.details ? ([['Details', error.details]] as const) : []),
    ...(rateLimit
      ? ([
          [
            'Limit',
            Object.entries(rateLimit)
              .map(([key, value]) => `${key} ${value}`)
              .join(', '),
          ],
        ] as const)
      : []),
    ...(typeof cause.code === 'number' ? ([['Wallet’s code', String(cause.code)]] as const) : []),
    ['Explained in', error.docs],
  ]
}
