export { createFormatter, getTextDirection } from './components/i18n/createFormatter.ts'
export type { Language, MessageValue, MessageValues } from './components/i18n/languages.ts'
