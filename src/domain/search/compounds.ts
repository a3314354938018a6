/**
 * Splits German compounds, `Haustürschlüssel`, into their nouns.
 *
 * A word is split only if it consists of known nouns and the letters that join them, completely. So a word that only
 * looks like a compound stays whole, and so does one with an unknown part.
 */

const nouns = `
  abend abfall abfahrt ablauf abrechnung abschluss absender abteilung adresse akte aktion alarm alter amt analyse änderung
  anfang anfrage angebot angst anhang ankunft anlage anmeldung anruf anschluss ansicht antrag antwort anzeige apfel
  apotheke arbeit archiv arm art arzt ärzte aufgabe aufnahme auftrag auge ausgabe ausgang auskunft ausländer ausstellung
  ausweis auto autobahn bach bad bäcker bahn bahnhof ball band bank bau bauer baum bäume beamter bedarf befehl beginn
  begriff beispiel beitrag benutzer berg bericht beruf bescheid besprechung bestand bestellung besuch besucher betrag
  betrieb bett bier bild bildung bildschirm bischof blatt blätter bleistift blick blume blut boden bogen boot brand
  brief brille brot brücke bruder buch bücher bühne bund büro burg bus butter chef computer dach dame dampf datei daten
  datenbank datum dauer decke dienst ding dokument donner dorf draht druck drucker durst ei einbau eingang einkauf
  einladung einstellung eintrag eis eisen eltern empfang ende energie entwicklung erde erfahrung ergebnis erlaubnis
  essen fach fahrer fahrrad fahrt fahrzeug fall familie farbe fehler feier feld fenster ferien fest feuer feuerwehr
  fieber film finger firma fisch flasche fleisch flug flughafen fluss form foto frage frau freizeit freund frucht
  frühling frühstück führung fuß fußball gabel gang garten gärten gas gast gäste gebäude geburt geburtstag gefahr geist
  geld gemeinde gemüse gepäck gerät gericht geschäft geschenk geschichte geschwindigkeit gesellschaft gesetz gesicht
  gespräch gesundheit getränk gewicht gewitter glas gott grenze größe grund gruppe haar hafen hälfte halle hals halt
  hand hände handel handschuh handtuch handy haupt haus häuser haut heft heim heizung held hemd herbst herr herz hilfe
  himmel hitze hof höfe höhe holz hose hotel hund hunger idee industrie information ingenieur insel jahr jugend junge
  kabel kaffee kalender kamera kampf kanal karte kartoffel käse kasse kasten katze keller kellner kern kette kind kino
  kirche kirsche kiste klage klasse klavier kleid kleider klima knopf koch koffer kohle könig konferenz konto kontrolle
  konzert kopf korb körper kosten kraft kran kranken kreis krieg küche kuchen kühl kugel kuh kunde kunst kurs küste lack
  laden lager lampe land länder landschaft last lauf laune leben leder lehrer leistung leiter leitung licht liebe lied
  linie liste löffel lohn luft macht mädchen mahl mal maler mann männer mantel markt maschine maß material mauer medizin
  meer mehl meinung meister meldung mensch messer metall miete milch minute mitarbeiter mitglied mittag mittel möbel
  modell monat mond montag morgen motor müll mund museum musik muster mutter mütze nachbar nachmittag nachricht nacht
  nadel name nase natur nebel netz netzwerk notiz nummer obst ofen ohr öl oper opfer ordner ordnung ort ozean paar
  paket papier park partei partner pass passwort patient pause pfanne pferd pflanze pflege pflicht plan platz plätze
  politik polizei post preis presse problem produkt programm projekt prozess prüfung punkt quelle quitte rad radio rahmen
  rand rat rathaus raum räume rechner rechnung recht rede regal regel regen regierung reifen reihe reinigung reis reise
  reparatur rest richter richtung ring rohr rolle rose rücken ruhe runde rundfunk saal sache saft sand satz säule schaden
  schale schalter schatten scheibe schein schere schicht schiene schiff schirm schlaf schlag schlange schloss schluss
  schlüssel schmerz schmutz schnee schnitt schokolade schrank schraube schreiben schrift schritt schuh schuld schule
  schüler schulter schutz schwester see seele seife seil seite sekunde sessel sicht sicherheit sicherung silber sitz
  sitzung sohn soldat sommer sonne sorge sparkasse spaß speicher speise spiegel spiel spieler sport sprache stadt städte
  stahl stamm stand start station stau staub stein stelle stern steuer stift stimme stock stoff strand straße strecke
  streit strom stück student stuhl stühle stunde sturm suche süd suppe system tabelle tafel tag tal tank tanz tasche
  tasse taste teig teil telefon teller temperatur teppich termin test text theater thema tier tisch titel tochter
  tod ton topf tor torte tour traum treffen treppe tropfen tuch tür türen turm übung uhr umfrage umwelt unfall universität
  unternehmen unterricht unterschrift urlaub vater verbindung verein verkauf verkäufer verkehr verlag versand
  versicherung versuch vertrag verwaltung video vogel vögel volk vorhang vorschlag vorstand wache wachs wagen wahl wald
  wälder wand wände wanne ware wäsche wasser weg wein weihnacht welle welt werk werkzeug wert wetter wiese wind winter
  wirtschaft wissen wissenschaft woche wohnung wolf wolke wolle wort wörter wunde wunsch wurst wurzel zahl zahlung zahn
  zähne zaun zeichen zeichnung zeile zeit zeitung zelle zelt zentrum zettel zeug ziel zimmer zitrone zoll zucker zug züge
  zukunft zunge zustand zutritt zwiebel`

const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e']

/** For each noun with the letters that may follow it, the noun. */
const known = new Map<string, string>()
for (const noun of nouns.trim().split(/\s+/))
  for (const link of LINKS) {
    const written = noun.endsWith('e') && link.startsWith('e') ? noun : noun + link
    if (!known.has(written) || link === '') known.set(written, noun)
  }

const LONGEST = Math.max(...Array.from(known.keys(), ({ length }) => length))
const MIN_PART = 3
const MIN_COMPOUND = 7

/** A noun of a compound, and the part of the word that it is. */
export interface CompoundPart {
  noun: string
  start: number
  end: number
}

/** Splits a word; none if it is no compound of known nouns. @param word in lower case, in NFC */
export const splitCompound = (word: string): CompoundPart[] =>
  word.length < MIN_COMPOUND ? [] : (splitFrom(word, 0, new Set()) ?? [])

/** `failed`: the positions from which no split is possible. Longer parts come first: `bahnhof` before `bahn`. */
const splitFrom = (word: string, start: number, failed: Set<number>): CompoundPart[] | undefined => {
  if (failed.has(start)) return undefined
  for (let end = Math.min(word.length, start + LONGEST); end - start >= MIN_PART; end--) {
    if (start === 0 && end === word.length) continue
    const noun = known.get(word.slice(start, end))
    if (noun === undefined) continue
    const rest = end === word.length ? [] : splitFrom(word, end, failed)
    if (rest !== undefined) return [{ noun, start, end }, ...rest]
  }
  failed.add(start)
  return undefined
}
