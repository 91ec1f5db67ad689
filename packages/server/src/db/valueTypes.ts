import { type CustomTypesConfig, defaults, types } from 'pg'

// A Date goes out in UTC: in the zone of the process, offsets with seconds (before 1900) would be cut.
defaults.parseInputDatesAsUTC = true

const INT8 = 20

const INT8_ARRAY = 1016

function parseInt8(text: string): number | string {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

const parseTexts = types.getTypeParser(1009 as number, 'text') as (text: string) => (string | null)[]

const parseInt8Array = (text: string): (number | string | null)[] =>
  parseTexts(text).map((entry) => (entry === null ? null : parseInt8(entry)))

/**
 * Converts columns to JavaScript values, in both databases. A bigint is a number if that is exact, else its digits; all
 * other types are the driver's: Date, Buffer, parsed JSON, arrays.
 */
export const valueTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === INT8) return parseInt8
      if (oid === INT8_ARRAY) return parseInt8Array
    }
    return types.getTypeParser(oid, format as 'text')
  }) as CustomTypesConfig['getTypeParser'],
}
