import type { Language } from '@countersign/react'
import ar from './ar.json?url'
import de from './de.json?url'
import es from './es.json?url'
import fr from './fr.json?url'
import ja from './ja.json?url'
import pt from './pt.json?url'
import zh from './zh.json?url'

/** Where the words of each language are, by their English text; a language is fetched when it is spoken. */
export const dictionaries: Record<Exclude<Language, 'en'>, string> = { ar, de, es, fr, ja, pt, zh }
