import { ConfigError } from '../config/ConfigError.ts'

/** Value of an option that is a positive whole number. */
export function readPositive(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (/^\d{1,9}$/.test(value) && number > 0) return number
  throw new ConfigError(`--${option} must be a positive whole number.`)
}
