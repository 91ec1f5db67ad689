export { createFormatter, getTextDirection } from './components/i18n/createFormatter.ts'
export type { Language } from './components/i18n/languages.ts'
export type { MessageValue, MessageValues } from './components/i18n/messages.ts'
