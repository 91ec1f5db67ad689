import { ValidationError } from '@countersign/react/core'

type Amount = string | number | bigint | { toString(): string }

/**
 * `Moralis.Units`: converts amounts between decimal text and the smallest unit. Small, because it is loaded with the
 * page.
 */
export const units = {
  ETH: (value: string | number): string => units.Token(value, 18),

  Token(value: string | number, given: string | number = 18): string {
    const decimals = Number(given)
    const [, sign = '', whole = '', tail = ''] = String(value).match(/^(-?)(\d*)\.?(\d*)$/) ?? refuse(value)
    const part = tail.replace(/0+$/, '')
    if (whole + tail === '') refuse(value)
    if (part.length > decimals) throw new ValidationError('fractional component exceeds decimals')
    const amount = BigInt(whole + part.padEnd(decimals, '0'))
    return String(sign ? -amount : amount)
  },

  FromWei(value: Amount, given: string | number = 18): string {
    const decimals = Number(given)
    const amount = BigInt(value.toString())
    const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
    const point = digits.length - decimals
    const part = digits.slice(point).replace(/0+$/, '')
    return `${amount < 0n ? '-' : ''}${digits.slice(0, point)}${part && `.${part}`}`
  },
}

function refuse(value: unknown): never {
  throw new ValidationError('invalid decimal value', `${value} is not a decimal number.`)
}
