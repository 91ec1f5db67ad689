import type { MailWords } from './en.ts'

export const words: MailWords = {
  reader: 'liebe Leserin, lieber Leser',
  testSubject: 'Testmail von {app}',
  testText: 'Dies ist eine Testmail. {app} kann E-Mails senden.\n',
  verifySubject: 'Bestätigen Sie Ihre E-Mail-Adresse für {app}',
  verifyText:
    'Hallo {name},\n\nbitte bestätigen Sie Ihre E-Mail-Adresse:\n\n{link}\n\nWenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.\n',
  resetSubject: 'Setzen Sie Ihr Passwort für {app} zurück',
  resetText:
    'Hallo {name},\n\nüber diesen Link wählen Sie ein neues Passwort:\n\n{link}\n\nWenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt unverändert.\n',
  resetTextAlone:
    'Hallo {name},\n\nüber diesen Link wählen Sie ein neues Passwort:\n\n{link}\n\nDiese Adresse wurde nie im angemeldeten Zustand bestätigt. Das neue Passwort wird deshalb die einzige Anmeldemethode: Wallets, Passkeys und Wiederherstellungscodes werden aus dem Konto entfernt.\n\nWenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Es ändert sich nichts.\n',
  resetTextGuarded:
    'Hallo {name},\n\nüber diesen Link wählen Sie ein neues Passwort:\n\n{link}\n\nDiese Adresse wurde nie im angemeldeten Zustand bestätigt, und das Konto ist geschützt. Zum Zurücksetzen brauchen Sie seinen zweiten Faktor. Ohne ihn können Sie über diesen Link ein neues Konto mit dieser Adresse erstellen.\n\nWenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Es ändert sich nichts.\n',
  emailCodeSubject: 'Ihr Anmeldecode für {app}',
  emailCodeText:
    'Hallo {name},\n\nIhr Anmeldecode für {app} lautet:\n\n{code}\n\nEr gilt {minutes} Minuten und funktioniert einmal, in dem Browser, in dem Sie ihn angefordert haben.\n',
  emailCodeLink: 'Oder öffnen Sie diesen Link im selben Browser:\n\n{link}\n',
  emailCodeAlone:
    'Diese Adresse wurde nie im angemeldeten Zustand bestätigt. Wenn Sie sich anmelden, werden deshalb Passwort, Wallets, Passkeys und Wiederherstellungscodes aus dem Konto entfernt und alle Geräte abgemeldet.\n',
  emailCodeEnd:
    'Geben Sie diesen Code niemandem weiter. Unser Team fragt nie danach. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.\n',
  emailCodeTookOver:
    'Ihr Konto wurde mit einem Code geöffnet, der an diese Adresse gesendet wurde. Passwort, Wallets, Passkeys und Wiederherstellungscodes wurden entfernt und alle Geräte abgemeldet, weil diese Adresse nie im angemeldeten Zustand bestätigt worden war.',
  secondFactorOn: 'Ein zweiter Faktor wurde eingeschaltet. Er wird bei der Anmeldung abgefragt.',
  secondFactorOff: 'Der zweite Faktor wurde ausgeschaltet.',
  secondFactorGuessed:
    'Jemand hat sich mit Ihrem Passwort oder einer anderen Anmeldemethode angemeldet und viele falsche Codes für den zweiten Faktor eingegeben. Codes werden einen Tag lang nicht angenommen; Wiederherstellungscodes und Passkeys funktionieren weiterhin.',
  newDeviceSubject: 'Neues Gerät bei Ihrem Konto bei {app} angemeldet',
  newDeviceText:
    'Hallo {name},\n\nein neues Gerät hat sich bei Ihrem Konto angemeldet.\n\nGerät: {device}\nIP-Adresse: {address}\nZeit: {time}\n\nWenn Sie das waren, müssen Sie nichts tun. Wenn nicht, sichern Sie Ihr Konto:\n\n{link}\n',
  unknown: 'unbekannt',
  changeSubject: 'Ihr Konto bei {app} wurde geändert',
  changeText:
    'Hallo {name},\n\n{what}\n\nZeit: {time}. Wenn Sie das nicht waren, melden Sie sich an, prüfen Sie Ihre Anmeldemethoden und melden Sie andere Sitzungen ab.\n',
  additionText:
    'Hallo {name},\n\n{what}\n\nZeit: {time}. Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, öffnen Sie bis {until} diesen Link. Er funktioniert zusammen mit einem Passwort, einer Wallet oder einem Passkey, die Ihr Konto schon vorher hatte. Er entfernt alles, was seitdem hinzugefügt wurde, auch einen zweiten Faktor, und meldet alle Geräte ab:\n\n{link}\n',
  accountRecovered:
    'Ihr Konto wurde wiederhergestellt. Alle Geräte wurden abgemeldet; das Passwort und alles, was vor Kurzem hinzugefügt wurde, wurden entfernt.',
  walletAdded: 'Die Wallet {address} wurde zu Ihrem Konto hinzugefügt. Ab jetzt kann man sich mit ihr anmelden.',
  walletRemoved: 'Die Wallet {address} wurde aus Ihrem Konto entfernt.',
  walletRestored: 'Die Wallet {address} wurde in Ihrem Konto wiederhergestellt.',
  passwordAdded: 'Ihrem Konto wurde ein Passwort hinzugefügt.',
  passwordChanged: 'Das Passwort Ihres Kontos wurde geändert.',
  connectedApp:
    'Eine App hat jetzt Zugriff auf Ihr Konto: {app}. Sie können den Zugriff in Ihrem Konto unter „Verbundene Apps“ beenden.',
  passkeyAdded: 'Ein Passkey wurde zu Ihrem Konto hinzugefügt.',
  accessTokenCreated: 'Für Ihr Konto wurde ein Zugriffstoken mit dem Namen „{name}“ erstellt.',
  passkeyRemoved: 'Ein Passkey wurde aus Ihrem Konto entfernt.',
  passkeyRestored: 'Ein Passkey wurde in Ihrem Konto wiederhergestellt.',
  guestIdAdded: 'Eine Gast-ID wurde zu Ihrem Konto hinzugefügt. Mit ihr ist jetzt die Anmeldung möglich.',
  guestIdRemoved: 'Die Gast-ID wurde aus Ihrem Konto entfernt.',
  identityAdded: 'Ab jetzt kann man sich mit {provider} in Ihrem Konto anmelden.',
  identityRemoved: '{provider} wurde aus den Anmeldemethoden Ihres Kontos entfernt.',
  mergedInto:
    'Das Konto {from} wurde mit Ihrem Konto {into} zusammengeführt. Sie können das bis {until} rückgängig machen.',
  mergedAwayLink:
    'Wenn Sie das nicht waren, machen Sie die Zusammenführung bis {until} über diesen Link rückgängig. Ihr Konto kommt zurück, und Sie wählen ein neues Passwort:\n\n{link}\n',
  mergedAway:
    'Ihr Konto {from} wurde mit dem Konto {into} zusammengeführt und besteht nicht mehr. Sie können das bis {until} rückgängig machen.',
  mergeUndone: 'Eine Zusammenführung Ihres Kontos mit einem anderen wurde rückgängig gemacht.',
  recoveryCodesMade: 'Neue Wiederherstellungscodes wurden erstellt. Ihre alten Codes funktionieren nicht mehr.',
  recoveryCodeUsed:
    'Mit einem Wiederherstellungscode hat sich jemand angemeldet. Der Code lässt sich nicht noch einmal verwenden.',
  alertsOff: 'Die Benachrichtigungen über neue Geräte wurden ausgeschaltet.',
  emailChangedSubject: 'Diese E-Mail-Adresse wurde aus Ihrem Konto bei {app} entfernt',
  emailChangedText:
    'Hallo {name},\n\ndiese E-Mail-Adresse wurde um {time} aus Ihrem Konto entfernt oder durch eine andere ersetzt.\n\nWenn Sie das waren, müssen Sie nichts tun. Wenn nicht, stellen Sie Ihr Konto wieder her:\n\n{link}\n\nDer Link gilt bis {until}. Er stellt diese Adresse wieder her, meldet alle Geräte ab und entfernt alle seitdem hinzugefügten Anmeldemethoden.\n',
  emailChangedNotice:
    'Hallo {name},\n\ndiese E-Mail-Adresse wurde um {time} aus Ihrem Konto entfernt oder durch eine andere ersetzt.\n\nWenn Sie das nicht waren, melden Sie sich an, prüfen Sie Ihre Anmeldemethoden und melden Sie andere Sitzungen ab.\n',
  emailRestored:
    'Diese E-Mail-Adresse wurde in Ihrem Konto wiederhergestellt. Alle Geräte wurden abgemeldet; das Passwort und alle nach der Änderung der Adresse hinzugefügten Anmeldemethoden wurden entfernt.',
  passwordReset:
    'Über einen Link, der Ihnen gesendet wurde, wurde ein neues Passwort festgelegt. Ihre alten Wiederherstellungscodes funktionieren nicht mehr.',
  passwordResetAlone:
    'Über einen Link, der Ihnen gesendet wurde, wurde ein neues Passwort festgelegt. Es ist jetzt die einzige Anmeldemethode: Wallets, Passkeys und Wiederherstellungscodes wurden entfernt, weil diese Adresse nie im angemeldeten Zustand bestätigt wurde.',
  deletionScheduled:
    'Ihr Konto wird um {time} endgültig gelöscht. Bis dahin können Sie es wiederherstellen, indem Sie sich anmelden.',
  accountRestored: 'Ihr Konto wurde wiederhergestellt. Es wird nicht mehr gelöscht.',
}
