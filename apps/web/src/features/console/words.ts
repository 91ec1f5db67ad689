import { addWords } from '../../i18n/followLanguage.ts'
import ar from '../../i18n/locales/console/ar.json?url'
import de from '../../i18n/locales/console/de.json?url'
import es from '../../i18n/locales/console/es.json?url'
import fr from '../../i18n/locales/console/fr.json?url'
import ja from '../../i18n/locales/console/ja.json?url'
import pt from '../../i18n/locales/console/pt.json?url'
import zh from '../../i18n/locales/console/zh.json?url'

const words = { ar, de, es, fr, ja, pt, zh }

/** The console's own words, which nobody else has to fetch. */
export const addConsoleWords = () => addWords(words)
