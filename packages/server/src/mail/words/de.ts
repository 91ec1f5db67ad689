import type { MailWords } from './en.ts'

export const words: MailWords = {
  reader: 'liebe Leserin, lieber Leser',
  verifySubject: 'Bestätigen Sie Ihre E-Mail-Adresse für {app}',
  verifyText:
    'Hallo {name},\n\nbitte bestätigen Sie, dass dies Ihre E-Mail-Adresse ist:\n\n{link}\n\nWenn Sie das nicht angefordert haben, können Sie diese Nachricht ignorieren.\n',
  resetSubject: 'Wählen Sie ein neues Passwort für {app}',
  resetText:
    'Hallo {name},\n\nüber diesen Link wählen Sie ein neues Passwort:\n\n{link}\n\nWenn Sie das nicht angefordert haben, können Sie diese Nachricht ignorieren; Ihr Passwort bleibt, wie es ist.\n',
  resetTextAlone:
    'Hallo {name},\n\nüber diesen Link wählen Sie ein neues Passwort:\n\n{link}\n\nDiese Adresse wurde nie aus dem Konto heraus bestätigt. Das neue Passwort wird deshalb die einzige Anmeldemöglichkeit: Wallets, Passkeys und Wiederherstellungscodes werden aus dem Konto entfernt.\n\nWenn Sie das nicht angefordert haben, können Sie diese Nachricht ignorieren; alles bleibt, wie es ist.\n',
  newDeviceSubject: 'Ein neues Gerät hat sich bei Ihrem Konto bei {app} angemeldet',
  newDeviceText:
    'Hallo {name},\n\nein Gerät, das bisher nicht bekannt war, hat sich bei Ihrem Konto angemeldet.\n\nGerät: {device}\nAdresse: {address}\nZeit: {time}\n\nWenn Sie das waren, ist nichts zu tun. Wenn nicht, melden Sie es hier:\n\n{link}\n',
  unknown: 'unbekannt',
  changeSubject: 'Eine Änderung an Ihrem Konto bei {app}',
  changeText:
    'Hallo {name},\n\n{what}\n\nDas war um {time}. Wenn Sie das nicht waren, melden Sie sich an, prüfen Sie Ihre Anmeldemöglichkeiten und beenden Sie die anderen Sitzungen.\n',
  walletAdded: 'Die Wallet {address} wurde zu Ihrem Konto hinzugefügt. Ab jetzt kann man sich mit ihr anmelden.',
  walletRemoved: 'Die Wallet {address} wurde aus Ihrem Konto entfernt.',
  walletRestored: 'Die Wallet {address} gehört wieder zu Ihrem Konto.',
  passkeyAdded: 'Ein Passkey wurde zu Ihrem Konto hinzugefügt.',
  passkeyRemoved: 'Ein Passkey wurde aus Ihrem Konto entfernt.',
  mergedInto:
    'Das Konto {from} wurde mit Ihrem Konto {into} zusammengeführt. Das lässt sich 24 Stunden lang rückgängig machen.',
  mergedAway:
    'Ihr Konto {from} wurde mit dem Konto {into} zusammengeführt und besteht nicht mehr. Das lässt sich 24 Stunden lang rückgängig machen.',
  mergeUndone: 'Eine Zusammenführung Ihres Kontos mit einem anderen wurde rückgängig gemacht.',
  recoveryCodesMade: 'Neue Wiederherstellungscodes wurden erstellt. Die früheren gelten nicht mehr.',
  recoveryCodeUsed: 'Mit einem Wiederherstellungscode wurde eine Anmeldung vorgenommen. Er gilt kein zweites Mal.',
  alertsOff: 'Die Benachrichtigungen über neue Geräte wurden ausgeschaltet.',
  emailChangedSubject: 'Diese E-Mail-Adresse wurde aus Ihrem Konto bei {app} entfernt',
  emailChangedText:
    'Hallo {name},\n\ndiese E-Mail-Adresse wurde um {time} aus Ihrem Konto entfernt oder durch eine andere ersetzt.\n\nWenn Sie das waren, ist nichts zu tun. Wenn nicht, holen Sie sich Ihr Konto hier zurück:\n\n{link}\n\nDer Link gilt bis {until}. Er stellt diese Adresse wieder her, meldet alle ab und entfernt, was seitdem zum Anmelden hinzugefügt wurde.\n',
  emailChangedNotice:
    'Hallo {name},\n\ndiese E-Mail-Adresse wurde um {time} aus Ihrem Konto entfernt oder durch eine andere ersetzt.\n\nWenn Sie das nicht waren, melden Sie sich an, prüfen Sie Ihre Anmeldemöglichkeiten und beenden Sie die anderen Sitzungen.\n',
  emailRestored:
    'Diese E-Mail-Adresse gehört wieder zu Ihrem Konto. Alle wurden abgemeldet, das Passwort wurde entfernt, ebenso alles, was seit der Änderung der Adresse zum Anmelden hinzugefügt wurde.',
  passwordReset:
    'Über einen Link, der Ihnen zugesandt wurde, wurde ein neues Passwort gewählt. Frühere Wiederherstellungscodes gelten nicht mehr.',
  passwordResetAlone:
    'Über einen Link, der Ihnen zugesandt wurde, wurde ein neues Passwort gewählt. Es ist jetzt die einzige Anmeldemöglichkeit: Wallets, Passkeys und Wiederherstellungscodes wurden entfernt, weil diese Adresse nie aus dem Konto heraus bestätigt worden war.',
  deletionScheduled:
    'Ihr Konto wird um {time} endgültig gelöscht. Bis dahin können Sie es wiederherstellen, indem Sie sich anmelden.',
  accountRestored: 'Ihr Konto wurde wiederhergestellt. Es wird nicht mehr gelöscht.',
}
