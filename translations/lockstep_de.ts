<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>HealthWords</name>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>%1 (host %2, process %3)</source>
        <translation>%1 (Host %2, Prozess %3)</translation>
    </message>
    <message>
        <source>%1 (host %2)</source>
        <translation>%1 (Host %2)</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>%1 sends no heartbeat</source>
        <translation>%1 sendet keinen Herzschlag</translation>
    </message>
    <message>
        <source>All ranks are in collective %1, none is behind, and it does not end</source>
        <translation>Alle Ränge sind in Kollektive %1, keiner hängt zurück, und sie endet nicht</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, Schritt %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 keeps %Ln rank(s) waiting in collective %2: %3</source>
        <translation>
            <numerusform>%1 lässt einen Rang in Kollektive %2 warten: %3</numerusform>
            <numerusform>%1 lässt %Ln Ränge in Kollektive %2 warten: %3</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 cannot reach %2</source>
        <translation>%1 erreicht %2 nicht</translation>
    </message>
    <message>
        <source>%1 cannot reach %2 at %3, port %4</source>
        <translation>%1 erreicht %2 unter %3, Port %4, nicht</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>both ways</source>
        <translation>beidseitig</translation>
    </message>
    <message>
        <source>only this way</source>
        <translation>nur hin</translation>
    </message>
    <message>
        <source>not this way</source>
        <translation>hin nicht</translation>
    </message>
    <message>
        <source>neither way</source>
        <translation>weder noch</translation>
    </message>
    <message>
        <source>this way</source>
        <translation>hin</translation>
    </message>
    <message>
        <source>not tested</source>
        <translation>ungeprüft</translation>
    </message>
</context>
<context>
    <name>lockstep::ChangesDialog</name>
    <message>
        <source>Launch %1 again, with changes</source>
        <translation>%1 noch einmal starten, mit Änderungen</translation>
    </message>
    <message>
        <source>Write what is to be other into the last column. In the empty rows anything else of the file can be set: arg.NAME, env.NAME, or a path such as spec.cluster.spec.worker.replicas.</source>
        <translation>Schreiben Sie in die letzte Spalte, was anders sein soll. In den leeren Zeilen lässt sich alles andere der Datei setzen: arg.NAME, env.NAME oder ein Pfad wie spec.cluster.spec.worker.replicas.</translation>
    </message>
    <message>
        <source>What is wrong with the changes</source>
        <translation>Was an den Änderungen nicht stimmt</translation>
    </message>
    <message>
        <source>&amp;Launch</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Dann</translation>
    </message>
    <message>
        <source>What is to be other</source>
        <translation>Was anders sein soll</translation>
    </message>
    <message>
        <source>launched before</source>
        <translation>früher gestartet</translation>
    </message>
    <message>
        <source>launched now</source>
        <translation>jetzt gestartet</translation>
    </message>
</context>
<context>
    <name>lockstep::ComparisonPage</name>
    <message>
        <source>%1 (no samples)</source>
        <translation>%1 (keine Messwerte)</translation>
    </message>
    <message>
        <source>Reading what the runs have measured …</source>
        <translation>Was die Läufe gemessen haben, wird gelesen …</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>The run whose text stands before</source>
        <translation>Der Lauf, dessen Text davor steht</translation>
    </message>
    <message>
        <source>The run whose text stands after</source>
        <translation>Der Lauf, dessen Text danach steht</translation>
    </message>
    <message>
        <source>Results of the runs</source>
        <translation>Ergebnisse der Läufe</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Differences between the runs</source>
        <translation>Unterschiede zwischen den Läufen</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>train.yaml</source>
        <translation>train.yaml</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>&amp;Läufe</translation>
    </message>
    <message>
        <source>Back to the runs (Esc)</source>
        <translation>Zurück zu den Läufen (Esc)</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>What the curves and the verdict are of</source>
        <translation>Wovon Kurven und Urteil sind</translation>
    </message>
    <message>
        <source>By step</source>
        <translation>Nach Schritt</translation>
    </message>
    <message>
        <source>By time</source>
        <translation>Nach Zeit</translation>
    </message>
    <message>
        <source>What the curves are laid over each other by</source>
        <translation>Wonach die Kurven übereinander liegen</translation>
    </message>
    <message>
        <source>Seconds since the first step</source>
        <translation>Sekunden seit dem ersten Schritt</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Differences (%1)</source>
        <translation>Unterschiede (%1)</translation>
    </message>
</context>
<context>
    <name>lockstep::ComparisonText</name>
    <message>
        <source>%1, last</source>
        <translation>%1, zuletzt</translation>
    </message>
    <message>
        <source>%1, best</source>
        <translation>%1, bester Wert</translation>
    </message>
    <message>
        <source>%1, mean of the last fifth</source>
        <translation>%1, Mittel des letzten Fünftels</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
</context>
<context>
    <name>lockstep::DesktopNotifier</name>
    <message>
        <source>Show the run</source>
        <translation>Den Lauf zeigen</translation>
    </message>
</context>
<context>
    <name>lockstep::FileBar</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Done so far</source>
        <translation>Bisher erledigt</translation>
    </message>
    <message>
        <source>End this; nothing is left of it then</source>
        <translation>Das hier beenden; es bleibt dann nichts davon übrig</translation>
    </message>
    <message>
        <source>Cancel: %1</source>
        <translation>Abbrechen: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::MarksDialog</name>
    <message>
        <source>Tags and note of %1</source>
        <translation>Schlagwörter und Notiz von %1</translation>
    </message>
    <message>
        <source>baseline, paper</source>
        <translation>baseline, paper</translation>
    </message>
    <message>
        <source>Tags, separated by commas</source>
        <translation>Schlagwörter, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>&amp;Tags:</source>
        <translation>&amp;Schlagwörter:</translation>
    </message>
    <message>
        <source>&amp;Group:</source>
        <translation>&amp;Gruppe:</translation>
    </message>
    <message>
        <source>&amp;Note:</source>
        <translation>&amp;Notiz:</translation>
    </message>
</context>
<context>
    <name>lockstep::OverlayPlot</name>
    <message>
        <source>Curves of the runs over each other</source>
        <translation>Kurven der Läufe übereinander</translation>
    </message>
</context>
<context>
    <name>lockstep::RelaunchController</name>
    <message>
        <source>Launching: %1</source>
        <translation>Startet: %1</translation>
    </message>
    <message>
        <source>Launched from the text of then</source>
        <translation>Aus dem damaligen Text gestartet</translation>
    </message>
    <message>
        <source>“%1” has changed since; what it says now is not used.</source>
        <translation>„%1“ hat sich seither geändert; was jetzt darin steht, gilt hier nicht.</translation>
    </message>
    <message>
        <source>“%1” is not there any more.</source>
        <translation>„%1“ gibt es nicht mehr.</translation>
    </message>
</context>
<context>
    <name>lockstep::RunFileExport</name>
    <message>
        <source>Save the report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Save the run into a file</source>
        <translation>Lauf in eine Datei speichern</translation>
    </message>
    <message>
        <source>HTML pages (*.html)</source>
        <translation>HTML-Seiten (*.html)</translation>
    </message>
    <message>
        <source>Runs in a file (*.lockstep)</source>
        <translation>Läufe in einer Datei (*.lockstep)</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <source>Any browser shows it; secrets are not in it.</source>
        <translation>Jeder Browser zeigt ihn; Geheimes steht nicht darin.</translation>
    </message>
    <message>
        <source>%1, with %2</source>
        <translation>%1, mit %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln Zeile</numerusform>
            <numerusform>%Ln Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>secrets were taken out of %Ln line(s)</source>
        <translation>
            <numerusform>aus %Ln Zeile wurde Geheimes entfernt</numerusform>
            <numerusform>aus %Ln Zeilen wurde Geheimes entfernt</numerusform>
        </translation>
    </message>
    <message>
        <source>no line had a secret in it</source>
        <translation>in keiner Zeile stand Geheimes</translation>
    </message>
    <message>
        <source>train.yaml is in it, without secrets</source>
        <translation>die train.yaml ist darin, ohne Geheimes</translation>
    </message>
    <message>
        <source>train.yaml is not in it</source>
        <translation>die train.yaml ist nicht darin</translation>
    </message>
    <message numerus="yes">
        <source>%Ln torn object(s) were left out</source>
        <translation>
            <numerusform>%Ln beschädigtes Objekt wurde ausgelassen</numerusform>
            <numerusform>%Ln beschädigte Objekte wurden ausgelassen</numerusform>
        </translation>
    </message>
    <message>
        <source>lines that had not been read yet are not in it</source>
        <translation>Zeilen, die noch nicht gelesen waren, sind nicht darin</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>The file was not written</source>
        <translation>Die Datei wurde nicht geschrieben</translation>
    </message>
    <message>
        <source>you cancelled it; nothing is left of the file</source>
        <translation>es wurde abgebrochen; von der Datei ist nichts übrig</translation>
    </message>
    <message>
        <source>%1, without lines</source>
        <translation>%1, ohne Zeilen</translation>
    </message>
</context>
<context>
    <name>lockstep::RunImport</name>
    <message>
        <source>Import runs from a file</source>
        <translation>Läufe aus einer Datei importieren</translation>
    </message>
    <message>
        <source>Runs of any kind (*.lockstep *.csv *tfevents*)</source>
        <translation>Läufe jeder Art (*.lockstep *.csv *tfevents*)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Import the runs of a folder of TensorBoard</source>
        <translation>Läufe eines TensorBoard-Ordners importieren</translation>
    </message>
    <message>
        <source>Importing %1</source>
        <translation>%1 wird importiert</translation>
    </message>
    <message>
        <source>%1: nothing says when it was recorded; its times only say what came first.</source>
        <translation>%1: Nichts sagt, wann er aufgezeichnet wurde; seine Zeiten sagen nur, was zuerst kam.</translation>
    </message>
    <message>
        <source>%1: passed over, since they are no samples: %2</source>
        <translation>%1: übergangen, weil es keine Messwerte sind: %2</translation>
    </message>
    <message>
        <source>%1: %2 is counted in other steps; it stands where it was recorded.</source>
        <translation>%1: %2 wird in anderen Schritten gezählt; es steht, wo es aufgezeichnet wurde.</translation>
    </message>
    <message>
        <source>you cancelled it; runs that came before stay in the list</source>
        <translation>es wurde abgebrochen; Läufe, die vorher kamen, bleiben in der Liste</translation>
    </message>
    <message numerus="yes">
        <source>Imported %Ln run(s)</source>
        <translation>
            <numerusform>%Ln Lauf importiert</numerusform>
            <numerusform>%Ln Läufe importiert</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::RunOpener</name>
    <message>
        <source>Open the folder of a run in a work dir</source>
        <translation>Den Ordner eines Laufs in einem Arbeitsverzeichnis öffnen</translation>
    </message>
    <message>
        <source>Open the file of a run</source>
        <translation>Datei eines Laufs öffnen</translation>
    </message>
    <message>
        <source>Runs in a file (*.lockstep)</source>
        <translation>Läufe in einer Datei (*.lockstep)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>lockstep::TellingDialog</name>
    <message>
        <source>&amp;Notifications of the desktop, while the window is not in front</source>
        <translation>&amp;Benachrichtigungen des Desktops, solange das Fenster nicht vorn ist</translation>
    </message>
    <message>
        <source>Be told of findings</source>
        <translation>Befunde mitteilen</translation>
    </message>
    <message>
        <source>Of the run whose page is open: each finding when it begins, none that is muted, and that the run has ended.</source>
        <translation>Vom Lauf, dessen Seite offen ist: jeder Befund, wenn er beginnt, kein stummgeschalteter, und dass der Lauf zu Ende ist.</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Critical findings</source>
        <translation>Kritische Befunde</translation>
    </message>
    <message>
        <source>From which severity on</source>
        <translation>Ab welcher Schwere</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Run by /bin/sh; it gets one JSON document on its input, and variables such as LOCKSTEP_TITLE</source>
        <translation>Wird von /bin/sh ausgeführt; bekommt ein JSON-Dokument als Eingabe, und Variablen wie LOCKSTEP_TITLE</translation>
    </message>
    <message>
        <source>Webhook</source>
        <translation>Webhook</translation>
    </message>
    <message>
        <source>The same document is posted there. The address is kept in the settings file, which only you may read.</source>
        <translation>Dasselbe Dokument wird dorthin gesendet. Die Adresse steht in der Datei der Einstellungen, die nur Sie lesen dürfen.</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Was nicht stimmt</translation>
    </message>
    <message>
        <source>&amp;From:</source>
        <translation>&amp;Ab:</translation>
    </message>
    <message>
        <source>No notification service answers on this desktop.</source>
        <translation>Auf diesem Desktop antwortet kein Benachrichtigungsdienst.</translation>
    </message>
    <message>
        <source>&amp;Command:</source>
        <translation>Be&amp;fehl:</translation>
    </message>
    <message>
        <source>&amp;Webhook:</source>
        <translation>&amp;Webhook:</translation>
    </message>
</context>
<context>
    <name>lockstep::VerdictText</name>
    <message>
        <source>%1 is %2 % faster than %3</source>
        <translation>%1 ist %2 % schneller als %3</translation>
    </message>
    <message>
        <source>%1: no difference between %2 and %3 can be told (%4)</source>
        <translation>%1: Zwischen %2 und %3 ist kein Unterschied auszumachen (%4)</translation>
    </message>
    <message>
        <source>%1: %2 is %3 higher than %4</source>
        <translation>%1: %2 liegt um %3 höher als %4</translation>
    </message>
    <message>
        <source>%1: %2 is %3 lower than %4</source>
        <translation>%1: %2 liegt um %3 niedriger als %4</translation>
    </message>
    <message>
        <source>%1; too few values tell how sure that is</source>
        <translation>%1; wie sicher das ist, sagen zu wenige Werte</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>Nothing tells which of them is better</source>
        <translation>Nichts sagt, welcher von ihnen besser ist</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
</context>
<context>
    <name>LogLevel</name>
    <message>
        <source>Debug</source>
        <translation>Debug</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
</context>
<context>
    <name>NumberText</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>kB</source>
        <translation>kB</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>TB</source>
        <translation>TB</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>eben</translation>
    </message>
    <message>
        <source>%1 s ago</source>
        <translation>vor %1 s</translation>
    </message>
    <message>
        <source>%1 min ago</source>
        <translation>vor %1 min</translation>
    </message>
    <message>
        <source>%1 h ago</source>
        <translation>vor %1 h</translation>
    </message>
    <message>
        <source>%1 days ago</source>
        <translation>vor %1 Tagen</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>lockstep::CallsModel</name>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>no answer: %1</source>
        <translation>keine Antwort: %1</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>Dienst</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Vorgang</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <source>Request id</source>
        <translation>Anfrage-ID</translation>
    </message>
</context>
<context>
    <name>lockstep::CallsPanel</name>
    <message>
        <source>Filter by service, operation, status, request id …</source>
        <translation>Nach Dienst, Vorgang, Status, Anfrage-ID filtern …</translation>
    </message>
    <message>
        <source>Filter the calls</source>
        <translation>Aufrufe filtern</translation>
    </message>
    <message>
        <source>Fai&amp;lures only</source>
        <translation>Nur &amp;Fehler</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Empty this list; the log on disk stays</source>
        <translation>Diese Liste leeren; das Protokoll auf der Platte bleibt</translation>
    </message>
    <message>
        <source>Calls of the services</source>
        <translation>Aufrufe der Dienste</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the selected calls, request ids included (Ctrl+C)</source>
        <translation>Ausgewählte Aufrufe samt Anfrage-IDs kopieren (Strg+C)</translation>
    </message>
    <message>
        <source>Nothing was asked of the services yet. Each call appears here with its status, duration and request id.</source>
        <translation>Bisher wurde kein Dienst aufgerufen. Jeder Aufruf erscheint hier mit Status, Dauer und Anfrage-ID.</translation>
    </message>
    <message>
        <source>No call matches the filter.</source>
        <translation>Kein Aufruf passt zum Filter.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln call(s)</source>
        <translation>
            <numerusform>%Ln Aufruf</numerusform>
            <numerusform>%Ln Aufrufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln call(s)</source>
        <translation>
            <numerusform>%1 von %Ln Aufruf</numerusform>
            <numerusform>%1 von %Ln Aufrufen</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter leeren</translation>
    </message>
</context>
<context>
    <name>lockstep::Card</name>
    <message>
        <source>&amp;Copy picture</source>
        <translation>Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>Save &amp;picture …</source>
        <translation>&amp;Bild speichern …</translation>
    </message>
    <message>
        <source>Save the &amp;values in sight …</source>
        <translation>Sichtbare &amp;Werte speichern …</translation>
    </message>
    <message>
        <source>Drag to size the card</source>
        <translation>Ziehen ändert die Größe der Karte</translation>
    </message>
    <message>
        <source>What can be done with this card</source>
        <translation>Was mit dieser Karte getan werden kann</translation>
    </message>
    <message>
        <source>%1: menu</source>
        <translation>%1: Menü</translation>
    </message>
    <message>
        <source>&amp;Quantities …</source>
        <translation>&amp;Größen …</translation>
    </message>
    <message>
        <source>Ma&amp;ximize</source>
        <translation>Ma&amp;ximieren</translation>
    </message>
    <message>
        <source>&amp;Wider</source>
        <translation>&amp;Breiter</translation>
    </message>
    <message>
        <source>&amp;Narrower</source>
        <translation>&amp;Schmaler</translation>
    </message>
    <message>
        <source>&amp;Taller</source>
        <translation>&amp;Höher</translation>
    </message>
    <message>
        <source>&amp;Lower</source>
        <translation>&amp;Niedriger</translation>
    </message>
    <message>
        <source>Move to the &amp;front</source>
        <translation>Nach &amp;vorn</translation>
    </message>
    <message>
        <source>Move to the &amp;back</source>
        <translation>Nach h&amp;inten</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>&amp;Back to all cards</source>
        <translation>&amp;Zurück zu allen Karten</translation>
    </message>
</context>
<context>
    <name>lockstep::CardGrid</name>
    <message>
        <source>Cards</source>
        <translation>Karten</translation>
    </message>
</context>
<context>
    <name>lockstep::CardPicker</name>
    <message>
        <source>Add a card</source>
        <translation>Karte hinzufügen</translation>
    </message>
    <message>
        <source>Find a quantity</source>
        <translation>Größe suchen</translation>
    </message>
    <message>
        <source>Quantities</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Shows</source>
        <translation>&amp;Zeigt</translation>
    </message>
    <message>
        <source>Quantities of a card</source>
        <translation>Größen einer Karte</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Choose one to %1 quantities.</source>
        <translation>Wählen Sie eine bis %1 Größen.</translation>
    </message>
    <message>
        <source>The card: %1</source>
        <translation>Die Karte: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::CardTexts</name>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>Nodes and GPUs</source>
        <translation>Knoten und GPUs</translation>
    </message>
    <message>
        <source>Heat map: %1</source>
        <translation>Heatmap: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::CardsView</name>
    <message>
        <source>Not measured in this run:</source>
        <translation>In diesem Lauf nicht gemessen:</translation>
    </message>
    <message>
        <source>%1: not measured in this run</source>
        <translation>%1: in diesem Lauf nicht gemessen</translation>
    </message>
    <message>
        <source>&amp;Quantities …</source>
        <translation>&amp;Größen …</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Move the card %1</source>
        <translation>Karte %1 verschieben</translation>
    </message>
    <message>
        <source>Size the card %1</source>
        <translation>Größe der Karte %1 ändern</translation>
    </message>
    <message>
        <source>Remove the card %1</source>
        <translation>Karte %1 entfernen</translation>
    </message>
    <message>
        <source>Add the card %1</source>
        <translation>Karte %1 hinzufügen</translation>
    </message>
    <message>
        <source>Change the card %1</source>
        <translation>Karte %1 ändern</translation>
    </message>
    <message>
        <source>Draw curves in another way</source>
        <translation>Kurven anders zeichnen</translation>
    </message>
</context>
<context>
    <name>lockstep::ChangesPanel</name>
    <message>
        <source>profile %1</source>
        <translation>Profil %1</translation>
    </message>
    <message>
        <source>taken back</source>
        <translation>zurückgenommen</translation>
    </message>
    <message>
        <source>Changes made here</source>
        <translation>Hier gemachte Änderungen</translation>
    </message>
    <message>
        <source>Everything that fixes of these steps have changed or created, also those of the command line. Each can be taken back, unless somebody has changed it since.</source>
        <translation>Alles, was Behebungen dieser Schritte geändert oder angelegt haben, auch die der Kommandozeile. Jede lässt sich zurücknehmen, solange niemand sie seither geändert hat.</translation>
    </message>
    <message>
        <source>Nothing yet: checks change nothing, and fixes are shown before they are applied.</source>
        <translation>Noch nichts: Prüfungen ändern nichts, und Behebungen werden gezeigt, bevor sie angewendet werden.</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Taking back …</source>
        <translation>Wird zurückgenommen …</translation>
    </message>
    <message>
        <source>Yes, take it back</source>
        <translation>Ja, zurücknehmen</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Beibehalten</translation>
    </message>
    <message>
        <source>Take back …</source>
        <translation>Zurücknehmen …</translation>
    </message>
</context>
<context>
    <name>lockstep::ChoiceFields</name>
    <message>
        <source>Compartment</source>
        <translation>Compartment</translation>
    </message>
    <message>
        <source>as train.yaml says, else the only one</source>
        <translation>wie in train.yaml, sonst das einzige</translation>
    </message>
    <message>
        <source>Name of the new compartment</source>
        <translation>Name des neuen Compartments</translation>
    </message>
    <message>
        <source>Letters, digits, hyphens, periods and underscores</source>
        <translation>Buchstaben, Ziffern, Bindestriche, Punkte und Unterstriche</translation>
    </message>
    <message>
        <source>Bucket</source>
        <translation>Bucket</translation>
    </message>
    <message>
        <source>as workDir of train.yaml says</source>
        <translation>wie workDir in train.yaml</translation>
    </message>
    <message>
        <source>A name is enough; “bucket@namespace” names one of another tenancy</source>
        <translation>Ein Name genügt; „bucket@namespace“ nennt einen einer anderen Tenancy</translation>
    </message>
    <message>
        <source>Grant</source>
        <translation>Gewähren</translation>
    </message>
    <message>
        <source>what training needs, in one compartment</source>
        <translation>was das Training braucht, in einem Compartment</translation>
    </message>
    <message>
        <source>the same, for this bucket and repository only</source>
        <translation>dasselbe, nur für diesen Bucket und dieses Repository</translation>
    </message>
    <message>
        <source>everything (proof of concept, unsafe)</source>
        <translation>alles (Machbarkeitsnachweis, unsicher)</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>Konto</translation>
    </message>
    <message>
        <source>of the tenancy or its Default domain</source>
        <translation>der Tenancy oder ihrer Default-Domäne</translation>
    </message>
    <message>
        <source>federated (Identity Cloud Service)</source>
        <translation>föderiert (Identity Cloud Service)</translation>
    </message>
    <message>
        <source>of another identity domain</source>
        <translation>einer anderen Identitätsdomäne</translation>
    </message>
    <message>
        <source>for a new profile</source>
        <translation>für ein neues Profil</translation>
    </message>
    <message>
        <source>Tenancy OCID</source>
        <translation>OCID der Tenancy</translation>
    </message>
    <message>
        <source>User OCID</source>
        <translation>OCID des Benutzers</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>for a new profile, such as us-ashburn-1</source>
        <translation>für ein neues Profil, etwa us-ashburn-1</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>the first that is found; docker, podman or a path</source>
        <translation>die erste gefundene; docker, podman oder ein Pfad</translation>
    </message>
    <message>
        <source>the subnet&apos;s</source>
        <translation>das des Subnetzes</translation>
    </message>
    <message>
        <source>Subnet</source>
        <translation>Subnetz</translation>
    </message>
    <message>
        <source>as train.yaml says</source>
        <translation>wie in train.yaml</translation>
    </message>
    <message>
        <source>the one that you are a member of</source>
        <translation>die, in der Sie Mitglied sind</translation>
    </message>
    <message>
        <source>Dynamic group of the job runs</source>
        <translation>Dynamische Gruppe der Job-Läufe</translation>
    </message>
    <message>
        <source>the one that matches job runs</source>
        <translation>die, auf die Job-Läufe passen</translation>
    </message>
    <message>
        <source>User name</source>
        <translation>Benutzername</translation>
    </message>
    <message>
        <source>without the namespace, such as jane@example.com</source>
        <translation>ohne Namespace, etwa jane@example.com</translation>
    </message>
    <message>
        <source>Identity domain</source>
        <translation>Identitätsdomäne</translation>
    </message>
    <message>
        <source>only for an account of another domain</source>
        <translation>nur für ein Konto einer anderen Domäne</translation>
    </message>
    <message>
        <source>Hosts file</source>
        <translation>Hosts-Datei</translation>
    </message>
    <message>
        <source>none: there are no machines of one&apos;s own</source>
        <translation>keine: es gibt keine eigenen Rechner</translation>
    </message>
    <message>
        <source>One machine a line, as ssh knows it</source>
        <translation>Ein Rechner je Zeile, wie ssh ihn kennt</translation>
    </message>
    <message>
        <source>Folder in the bucket</source>
        <translation>Ordner im Bucket</translation>
    </message>
    <message>
        <source>none: its top</source>
        <translation>keiner: ganz oben</translation>
    </message>
    <message>
        <source>Log group</source>
        <translation>Log-Gruppe</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Data Science project</source>
        <translation>Data-Science-Projekt</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>VCN</source>
        <translation>VCN</translation>
    </message>
    <message>
        <source>Launched by</source>
        <translation>Gestartet von</translation>
    </message>
    <message>
        <source>Whom the statements name: users, or what launches without one</source>
        <translation>Wen die Anweisungen nennen: Benutzer, oder was ohne einen startet</translation>
    </message>
    <message>
        <source>whoever the profile signs in as</source>
        <translation>wem das Profil gehört</translation>
    </message>
    <message>
        <source>users, with an API key or a session</source>
        <translation>Benutzern, mit API-Schlüssel oder Sitzung</translation>
    </message>
    <message>
        <source>a notebook or an instance, without a user (resource or instance principal)</source>
        <translation>einem Notebook oder einer Instanz, ohne Benutzer (Resource oder Instance Principal)</translation>
    </message>
    <message>
        <source>Group that launches</source>
        <translation>Gruppe, die startet</translation>
    </message>
    <message>
        <source>Dynamic group that launches</source>
        <translation>Dynamische Gruppe, die startet</translation>
    </message>
</context>
<context>
    <name>lockstep::ChoiceForm</name>
    <message>
        <source>Choices of this step</source>
        <translation>Auswahl für diesen Schritt</translation>
    </message>
    <message>
        <source>Choose a file …</source>
        <translation>Datei wählen …</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>in use: %1</source>
        <translation>in Gebrauch: %1</translation>
    </message>
    <message>
        <source>Clear the field</source>
        <translation>Feld leeren</translation>
    </message>
</context>
<context>
    <name>lockstep::ClusterCanvas</name>
    <message>
        <source>Cluster drawing</source>
        <translation>Zeichnung des Clusters</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>ranks %1–%2</source>
        <translation>Ränge %1–%2</translation>
    </message>
    <message>
        <source>Job run</source>
        <translation>Job-Lauf</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Ports</source>
        <translation>Ports</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weitere</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>port %1: %2</source>
        <translation>Port %1: %2</translation>
    </message>
    <message>
        <source>%1 environment variables</source>
        <translation>%1 Umgebungsvariablen</translation>
    </message>
    <message>
        <source>set %1</source>
        <translation>%1 setzen</translation>
    </message>
    <message>
        <source>remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>%1–%2</source>
        <translation>%1–%2</translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation>Worker %1</translation>
    </message>
    <message>
        <source>%1, the first of %2 alike</source>
        <translation>%1, der erste von %2 gleichen</translation>
    </message>
    <message>
        <source>Number of %1</source>
        <translation>Anzahl: %1</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Edit in the form</source>
        <translation>Im Formular bearbeiten</translation>
    </message>
    <message>
        <source>One more</source>
        <translation>Einer mehr</translation>
    </message>
    <message>
        <source>Remove one</source>
        <translation>Einen entfernen</translation>
    </message>
    <message>
        <source>Set the number…</source>
        <translation>Anzahl festlegen …</translation>
    </message>
    <message>
        <source>Remove all %1</source>
        <translation>Alle %1 entfernen</translation>
    </message>
    <message>
        <source>image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch keines</translation>
    </message>
    <message>
        <source>conda environment</source>
        <translation>Conda-Umgebung</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>work dir</source>
        <translation>Arbeitsverzeichnis</translation>
    </message>
    <message>
        <source>log group</source>
        <translation>Log-Gruppe</translation>
    </message>
    <message>
        <source>none: no logs</source>
        <translation>keine: keine Logs</translation>
    </message>
    <message>
        <source>Managed network</source>
        <translation>Verwaltetes Netz</translation>
    </message>
    <message>
        <source>made by the service for this job</source>
        <translation>vom Dienst für diesen Job angelegt</translation>
    </message>
    <message>
        <source>private subnet</source>
        <translation>privates Subnetz</translation>
    </message>
    <message>
        <source>No subnet</source>
        <translation>Kein Subnetz</translation>
    </message>
    <message>
        <source>the service&apos;s own network</source>
        <translation>das Netz des Dienstes</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1 OCPUs</source>
        <translation>%1 OCPUs</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>any port</source>
        <translation>jeder Port</translation>
    </message>
    <message>
        <source>%1 + any</source>
        <translation>%1 + alle</translation>
    </message>
    <message>
        <source>all must succeed</source>
        <translation>alle müssen gelingen</translation>
    </message>
    <message>
        <source>%1 of %2 must succeed</source>
        <translation>%1 von %2 müssen gelingen</translation>
    </message>
    <message>
        <source>node group “%1”</source>
        <translation>Knotengruppe „%1“</translation>
    </message>
    <message>
        <source>start-up probe</source>
        <translation>Startprobe</translation>
    </message>
    <message>
        <source>One job run</source>
        <translation>Ein Job-Lauf</translation>
    </message>
    <message>
        <source>groups start one after the other</source>
        <translation>Gruppen starten nacheinander</translation>
    </message>
    <message>
        <source>groups start together</source>
        <translation>Gruppen starten zusammen</translation>
    </message>
    <message>
        <source>at most %1 min</source>
        <translation>höchstens %1 min</translation>
    </message>
    <message>
        <source>Each node: %1</source>
        <translation>Jeder Knoten: %1</translation>
    </message>
    <message>
        <source>No shape yet</source>
        <translation>Noch kein Shape</translation>
    </message>
    <message>
        <source>main</source>
        <translation>main</translation>
    </message>
    <message>
        <source>ps %1</source>
        <translation>ps %1</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>parameter servers</source>
        <translation>Parameterserver</translation>
    </message>
    <message>
        <source>1 main node</source>
        <translation>1 Hauptknoten</translation>
    </message>
    <message>
        <source>1 worker</source>
        <translation>1 Worker</translation>
    </message>
    <message>
        <source>%1 workers</source>
        <translation>%1 Worker</translation>
    </message>
    <message>
        <source>1 parameter server</source>
        <translation>1 Parameterserver</translation>
    </message>
    <message>
        <source>%1 parameter servers</source>
        <translation>%1 Parameterserver</translation>
    </message>
    <message>
        <source>drop here to remove</source>
        <translation>zum Entfernen hier ablegen</translation>
    </message>
    <message>
        <source>one more</source>
        <translation>einer mehr</translation>
    </message>
    <message>
        <source>remove one</source>
        <translation>einen entfernen</translation>
    </message>
    <message>
        <source>not checked yet</source>
        <translation>noch nicht geprüft</translation>
    </message>
    <message>
        <source>1 OCPU</source>
        <translation>1 OCPU</translation>
    </message>
</context>
<context>
    <name>lockstep::ClusterForm</name>
    <message>
        <source>Cluster form</source>
        <translation>Formular des Clusters</translation>
    </message>
    <message>
        <source>change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>clear %1</source>
        <translation>%1 leeren</translation>
    </message>
    <message>
        <source>The text breaks at line %1, column %2</source>
        <translation>Der Text bricht in Zeile %1, Spalte %2</translation>
    </message>
    <message>
        <source>%1. The form shows the last state that could be read.</source>
        <translation>%1. Das Formular zeigt den letzten Stand, der sich lesen ließ.</translation>
    </message>
    <message>
        <source>Show the &amp;place</source>
        <translation>&amp;Stelle zeigen</translation>
    </message>
</context>
<context>
    <name>lockstep::ClusterSummary</name>
    <message>
        <source>%1 %2/h</source>
        <translation>%1 %2/h</translation>
    </message>
    <message>
        <source>%1 (prices of %2)</source>
        <translation>%1 (Preise vom %2)</translation>
    </message>
    <message>
        <source>No price known</source>
        <translation>Kein Preis bekannt</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>Together: %1</source>
        <translation>Zusammen: %1</translation>
    </message>
    <message>
        <source>Prices as of %1, from %2</source>
        <translation>Preise vom %1, aus %2</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Überblick</translation>
    </message>
    <message>
        <source>World size</source>
        <translation>World size</translation>
    </message>
    <message>
        <source>Cost: %1</source>
        <translation>Kosten: %1</translation>
    </message>
    <message>
        <source>What the cost is made up of</source>
        <translation>Woraus sich die Kosten ergeben</translation>
    </message>
</context>
<context>
    <name>lockstep::CurveButton</name>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>How curves are drawn: x axis, smoothing, scale</source>
        <translation>Wie Kurven gezeichnet werden: x-Achse, Glättung, Skala</translation>
    </message>
    <message>
        <source>How curves are drawn</source>
        <translation>Wie Kurven gezeichnet werden</translation>
    </message>
    <message>
        <source>As all charts</source>
        <translation>Wie alle Diagramme</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Moving average, as TensorBoard</source>
        <translation>Gleitender Mittelwert wie TensorBoard</translation>
    </message>
    <message>
        <source>Moving average by time</source>
        <translation>Gleitender Mittelwert nach Zeit</translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>Gauß</translation>
    </message>
    <message>
        <source>Running median</source>
        <translation>Gleitender Median</translation>
    </message>
    <message>
        <source>As usual for the quantity</source>
        <translation>Wie bei der Größe üblich</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>Logarithmisch</translation>
    </message>
    <message>
        <source>&amp;Of</source>
        <translation>&amp;Von</translation>
    </message>
    <message>
        <source>&amp;X axis</source>
        <translation>&amp;x-Achse</translation>
    </message>
    <message>
        <source>&amp;Smoothing</source>
        <translation>&amp;Glättung</translation>
    </message>
    <message>
        <source>&amp;Amount</source>
        <translation>S&amp;tärke</translation>
    </message>
    <message>
        <source>S&amp;cale</source>
        <translation>&amp;Skala</translation>
    </message>
    <message>
        <source>Amount of smoothing</source>
        <translation>Stärke der Glättung</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Time since the start</source>
        <translation>Zeit seit dem Beginn</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>Uhrzeit</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Trainingsbeispiele</translation>
    </message>
    <message>
        <source>All charts</source>
        <translation>Alle Diagramme</translation>
    </message>
    <message>
        <source>This run has not measured epochs.</source>
        <translation>Dieser Lauf hat keine Epochen gemessen.</translation>
    </message>
    <message>
        <source>This run lacks samples per second or the time of a step.</source>
        <translation>Diesem Lauf fehlen die Samples pro Sekunde oder die Dauer eines Schritts.</translation>
    </message>
    <message>
        <source>This run has not measured times.</source>
        <translation>Dieser Lauf hat keine Zeiten gemessen.</translation>
    </message>
</context>
<context>
    <name>lockstep::Dashboard</name>
    <message>
        <source>No samples yet: the first arrive a few seconds after the first step.</source>
        <translation>Noch keine Messwerte: die ersten kommen wenige Sekunden nach dem ersten Schritt.</translation>
    </message>
    <message>
        <source>This run left no samples.</source>
        <translation>Dieser Lauf hat keine Messwerte hinterlassen.</translation>
    </message>
    <message>
        <source>No rank was started.</source>
        <translation>Kein Rang wurde gestartet.</translation>
    </message>
    <message>
        <source>No ranks yet: the nodes are being created.</source>
        <translation>Noch keine Ränge: die Knoten werden angelegt.</translation>
    </message>
    <message>
        <source>Loading the samples …</source>
        <translation>Die Messwerte werden geladen …</translation>
    </message>
    <message>
        <source>The samples were not loaded.</source>
        <translation>Die Messwerte wurden nicht geladen.</translation>
    </message>
    <message>
        <source>The samples cannot be read now.</source>
        <translation>Die Messwerte lassen sich gerade nicht lesen.</translation>
    </message>
    <message>
        <source>Show other cards</source>
        <translation>Andere Karten zeigen</translation>
    </message>
</context>
<context>
    <name>lockstep::DashboardTools</name>
    <message>
        <source>View before</source>
        <translation>Vorige Ansicht</translation>
    </message>
    <message>
        <source>The steps that were in view before (Alt+Left)</source>
        <translation>Die Schritte, die vorher zu sehen waren (Alt+Links)</translation>
    </message>
    <message>
        <source>View after</source>
        <translation>Nächste Ansicht</translation>
    </message>
    <message>
        <source>The steps that were in view after (Alt+Right)</source>
        <translation>Die Schritte, die danach zu sehen waren (Alt+Rechts)</translation>
    </message>
    <message>
        <source>All steps</source>
        <translation>Alle Schritte</translation>
    </message>
    <message>
        <source>Show all steps in every plot (double click on a plot)</source>
        <translation>Alle Schritte in jeder Kurve zeigen (Doppelklick auf eine Kurve)</translation>
    </message>
</context>
<context>
    <name>lockstep::DesignerController</name>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>unsaved changes</source>
        <translation>nicht gespeicherte Änderungen</translation>
    </message>
    <message>
        <source>Unsaved changes are back</source>
        <translation>Nicht gespeicherte Änderungen sind wieder da</translation>
    </message>
    <message>
        <source>The window closed before they were saved. Undo leads back to the text of the file.</source>
        <translation>Das Fenster wurde geschlossen, bevor sie gespeichert waren. „Rückgängig“ führt zum Text der Datei zurück.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Discard the changes</source>
        <translation>Änderungen verwerfen</translation>
    </message>
    <message>
        <source>This cluster has unsaved changes</source>
        <translation>Dieser Cluster hat nicht gespeicherte Änderungen</translation>
    </message>
    <message>
        <source>Save them first, or go on without them.</source>
        <translation>Speichern Sie sie zuerst, oder machen Sie ohne sie weiter.</translation>
    </message>
    <message>
        <source>Go on without saving</source>
        <translation>Ohne Speichern weiter</translation>
    </message>
    <message>
        <source>Open a train.yaml</source>
        <translation>Eine train.yaml öffnen</translation>
    </message>
    <message>
        <source>Cluster files (*.yaml *.yml);;All files (*)</source>
        <translation>Cluster-Dateien (*.yaml *.yml);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save the cluster</source>
        <translation>Cluster speichern</translation>
    </message>
    <message>
        <source>taking back what was created …</source>
        <translation>nimmt zurück, was angelegt wurde …</translation>
    </message>
    <message>
        <source>new cluster</source>
        <translation>neuer Cluster</translation>
    </message>
    <message>
        <source>%1 on disk</source>
        <translation>%1 auf der Platte</translation>
    </message>
    <message>
        <source>here</source>
        <translation>hier</translation>
    </message>
    <message>
        <source>use what the set-up found</source>
        <translation>Ergebnisse der Einrichtung übernehmen</translation>
    </message>
    <message>
        <source>The cluster has what the set-up found</source>
        <translation>Der Cluster hat übernommen, was die Einrichtung gefunden hat</translation>
    </message>
    <message>
        <source>The cluster had all that the set-up found already</source>
        <translation>Der Cluster hatte schon alles, was die Einrichtung gefunden hat</translation>
    </message>
    <message>
        <source>Undo takes it back.</source>
        <translation>„Rückgängig“ nimmt es zurück.</translation>
    </message>
</context>
<context>
    <name>lockstep::DesignerExport</name>
    <message>
        <source>Write the export into this folder</source>
        <translation>Den Export in diesen Ordner schreiben</translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) written to %1</source>
        <translation>
            <numerusform>%Ln Datei nach %1 geschrieben</numerusform>
            <numerusform>%Ln Dateien nach %1 geschrieben</numerusform>
        </translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>Überschreiben</translation>
    </message>
</context>
<context>
    <name>lockstep::DesignerPage</name>
    <message>
        <source>Progress of the launch</source>
        <translation>Fortschritt des Starts</translation>
    </message>
    <message>
        <source>“%1” changed on disk</source>
        <translation>„%1“ hat sich auf der Platte geändert</translation>
    </message>
    <message>
        <source>Another program wrote the file since it was read here. Saving replaces what it wrote.</source>
        <translation>Ein anderes Programm hat die Datei geschrieben, seit sie hier gelesen wurde. Speichern ersetzt, was es schrieb.</translation>
    </message>
    <message>
        <source>Launching, %1 of %2: %3</source>
        <translation>Startet, %1 von %2: %3</translation>
    </message>
    <message>
        <source>Launching…</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>Launching: %1</source>
        <translation>Startet: %1</translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation>noch nicht gespeichert</translation>
    </message>
    <message>
        <source>%1 (edited)</source>
        <translation>%1 (geändert)</translation>
    </message>
    <message>
        <source>A launch is under way.</source>
        <translation>Ein Start ist im Gange.</translation>
    </message>
    <message>
        <source>There is nothing to launch: open a train.yaml or start a new one.</source>
        <translation>Es gibt nichts zu starten: öffnen Sie eine train.yaml oder beginnen Sie eine neue.</translation>
    </message>
    <message>
        <source>The text cannot be read as YAML.</source>
        <translation>Der Text lässt sich nicht als YAML lesen.</translation>
    </message>
    <message>
        <source>There is an error: %1</source>
        <translation>Es gibt einen Fehler: %1</translation>
    </message>
    <message>
        <source>There are %1 errors. The first: %2</source>
        <translation>Es gibt %1 Fehler. Der erste: %2</translation>
    </message>
    <message>
        <source>Launch this cluster</source>
        <translation>Diesen Cluster starten</translation>
    </message>
    <message>
        <source>Cannot launch: %1</source>
        <translation>Start nicht möglich: %1</translation>
    </message>
    <message>
        <source>launching</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>not ready</source>
        <translation>nicht bereit</translation>
    </message>
    <message>
        <source>ready to launch</source>
        <translation>startbereit</translation>
    </message>
    <message>
        <source>Cancel la&amp;unch</source>
        <translation>Start a&amp;bbrechen</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>Neu &amp;laden</translation>
    </message>
    <message>
        <source>&amp;Keep mine</source>
        <translation>&amp;Meine behalten</translation>
    </message>
    <message>
        <source>Show &amp;difference</source>
        <translation>&amp;Unterschied zeigen</translation>
    </message>
    <message>
        <source>fix: %1</source>
        <translation>beheben: %1</translation>
    </message>
    <message>
        <source>fix all</source>
        <translation>alles beheben</translation>
    </message>
    <message>
        <source>ready to rehearse</source>
        <translation>bereit zur Probe</translation>
    </message>
    <message>
        <source>A rehearsal runs on this machine and needs nothing of a tenancy</source>
        <translation>Eine Probe läuft auf diesem Rechner und braucht nichts von einer Tenancy</translation>
    </message>
    <message numerus="yes">
        <source>%Ln set-up step(s) missing</source>
        <translation>
            <numerusform>%Ln Einrichtungsschritt fehlt</numerusform>
            <numerusform>%Ln Einrichtungsschritte fehlen</numerusform>
        </translation>
    </message>
    <message>
        <source>Something is missing for a launch; see Setup: %1</source>
        <translation>Für einen Start fehlt etwas; siehe Einrichtung: %1</translation>
    </message>
    <message>
        <source>set-up not checked</source>
        <translation>Einrichtung ungeprüft</translation>
    </message>
    <message>
        <source>Nobody has looked yet whether the tenancy has what a launch needs; the page Setup does</source>
        <translation>Noch wurde nicht geprüft, ob die Tenancy hat, was ein Start braucht; das tut die Seite Einrichtung</translation>
    </message>
    <message>
        <source>set-up not used yet</source>
        <translation>Gefundenes fehlt hier</translation>
    </message>
    <message>
        <source>The set-up found what this train.yaml does not say; Setup, “Use all that was found in train.yaml” puts it here</source>
        <translation>Die Einrichtung hat gefunden, was diese train.yaml nicht sagt; „Alles Gefundene in train.yaml übernehmen“ auf der Seite Einrichtung setzt es ein</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the parts of a list</comment>
        <translation>, </translation>
    </message>
</context>
<context>
    <name>lockstep::DesignerResources</name>
    <message>
        <source>No profile is chosen: choose one on the page Setup to list what the tenancy has.</source>
        <translation>Es ist kein Profil gewählt: Wählen Sie eines auf der Seite „Einrichtung“, um aufzulisten, was die Tenancy hat.</translation>
    </message>
</context>
<context>
    <name>lockstep::DesignerTemplates</name>
    <message>
        <source>%1: a new cluster</source>
        <translation>%1: ein neuer Cluster</translation>
    </message>
    <message>
        <source>The template has a train script, a Dockerfile and a description, too. They can be written into a folder together with this train.yaml.</source>
        <translation>Zur Vorlage gehören auch ein Trainingsskript, ein Dockerfile und eine Beschreibung. Sie lassen sich zusammen mit dieser train.yaml in einen Ordner schreiben.</translation>
    </message>
    <message>
        <source>Write the whole project …</source>
        <translation>Das ganze Projekt schreiben …</translation>
    </message>
    <message>
        <source>Write the project into this folder</source>
        <translation>Das Projekt in diesen Ordner schreiben</translation>
    </message>
</context>
<context>
    <name>lockstep::DesignerToolBar</name>
    <message>
        <source>train.yaml, complete</source>
        <translation>train.yaml, vollständig</translation>
    </message>
    <message>
        <source>Docker compose</source>
        <translation>Docker Compose</translation>
    </message>
    <message>
        <source>torchrun commands</source>
        <translation>torchrun-Befehle</translation>
    </message>
    <message>
        <source>mpirun kit</source>
        <translation>mpirun-Paket</translation>
    </message>
    <message>
        <source>Terraform prerequisites</source>
        <translation>Terraform-Voraussetzungen</translation>
    </message>
    <message>
        <source>Slurm batch script</source>
        <translation>Slurm-Batch-Skript</translation>
    </message>
    <message>
        <source>Kubeflow job</source>
        <translation>Kubeflow-Job</translation>
    </message>
    <message>
        <source>New from &amp;template</source>
        <translation>Neu aus &amp;Vorlage</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>&amp;Neu</translation>
    </message>
    <message>
        <source>Start from the example</source>
        <translation>Mit dem Beispiel beginnen</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>Open a train.yaml</source>
        <translation>Eine train.yaml öffnen</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Speichern &amp;unter …</translation>
    </message>
    <message>
        <source>Save under another name</source>
        <translation>Unter anderem Namen speichern</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Launch</source>
        <translation>S&amp;tarten</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Write the cluster in another form</source>
        <translation>Den Cluster in anderer Form schreiben</translation>
    </message>
    <message>
        <source>%1 …</source>
        <translation>%1 …</translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation>Rückgängig: %1</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>Wiederholen: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::EditableCluster</name>
    <message>
        <source>typing</source>
        <translation>Eingabe</translation>
    </message>
</context>
<context>
    <name>lockstep::EnvEditor</name>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>all nodes</source>
        <translation>alle Knoten</translation>
    </message>
    <message>
        <source>the main node</source>
        <translation>den Hauptknoten</translation>
    </message>
    <message>
        <source>the workers</source>
        <translation>die Worker</translation>
    </message>
    <message>
        <source>the training code</source>
        <translation>den Trainingscode</translation>
    </message>
    <message>
        <source>Which nodes get the variables below</source>
        <translation>Welche Knoten die Variablen unten bekommen</translation>
    </message>
    <message>
        <source>Environment variables</source>
        <translation>Umgebungsvariablen</translation>
    </message>
    <message>
        <source>Add a variable (Insert)</source>
        <translation>Variable hinzufügen (Einfg)</translation>
    </message>
    <message>
        <source>Remove the selected variables (Delete)</source>
        <translation>Gewählte Variablen entfernen (Entf)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>Result on %1</source>
        <translation>Ergebnis auf %1</translation>
    </message>
    <message>
        <source>Set for %1 (%2)</source>
        <translation>Gesetzt für %1 (%2)</translation>
    </message>
    <message>
        <source>All that the container sees from the file and from the launch, in this order.</source>
        <translation>Alles, was der Container aus der Datei und vom Start sieht, in dieser Reihenfolge.</translation>
    </message>
    <message>
        <source>What is set for some nodes wins over the training code, and that over all nodes; of two lines in one list the last.</source>
        <translation>Was für einige Knoten gesetzt ist, geht dem Trainingscode vor, dieser allen Knoten; von zwei Zeilen einer Liste gilt die letzte.</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>„%1“</translation>
    </message>
    <message>
        <source>the parameter servers</source>
        <translation>die Parameterserver</translation>
    </message>
    <message>
        <source>not used: set again below</source>
        <translation>unbenutzt: weiter unten noch einmal gesetzt</translation>
    </message>
    <message>
        <source>not used: every node gets its own</source>
        <translation>unbenutzt: jeder Knoten bekommt seinen eigenen Wert</translation>
    </message>
    <message>
        <source>overrides %1 of %2</source>
        <translation>ersetzt %1 von %2</translation>
    </message>
    <message>
        <source>the training code sets %1</source>
        <translation>der Trainingscode setzt %1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>but %1</source>
        <translation>aber %1</translation>
    </message>
    <message>
        <source>not used: %1</source>
        <translation>unbenutzt: %1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>set at launch</source>
        <translation>beim Start gesetzt</translation>
    </message>
</context>
<context>
    <name>lockstep::EnvModel</name>
    <message>
        <source>add variable</source>
        <translation>Variable hinzufügen</translation>
    </message>
    <message>
        <source>remove variable</source>
        <translation>Variable entfernen</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>rename variable</source>
        <translation>Variable umbenennen</translation>
    </message>
    <message>
        <source>change variable</source>
        <translation>Variable ändern</translation>
    </message>
    <message>
        <source>Where from</source>
        <translation>Woher</translation>
    </message>
    <message>
        <source>What wins</source>
        <translation>Was gilt</translation>
    </message>
</context>
<context>
    <name>lockstep::FactsCard</name>
    <message>
        <source>&amp;Use in train.yaml</source>
        <translation>In train.yaml über&amp;nehmen</translation>
    </message>
    <message>
        <source>Found for train.yaml</source>
        <translation>Für train.yaml gefunden</translation>
    </message>
    <message>
        <source>Fills these fields of the cluster in the designer; one undo takes it back</source>
        <translation>Füllt diese Felder des Clusters im Entwurf; einmal „Rückgängig“ nimmt es zurück</translation>
    </message>
</context>
<context>
    <name>lockstep::FieldNote</name>
    <message>
        <source>Fix: %1</source>
        <translation>Beheben: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::FindingCard</name>
    <message>
        <source>- %1: %2</source>
        <translation>- %1: %2</translation>
    </message>
    <message>
        <source>  saw: %1</source>
        <translation>  gesehen: %1</translation>
    </message>
    <message>
        <source>  to do: %1</source>
        <translation>  zu tun: %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Saw</source>
        <translation>Gesehen</translation>
    </message>
    <message>
        <source>Likely</source>
        <translation>Vermutlich</translation>
    </message>
    <message>
        <source>To do</source>
        <translation>Zu tun</translation>
    </message>
    <message>
        <source>  likely: %1</source>
        <translation>  wohl: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::FindingList</name>
    <message>
        <source>Show fewer</source>
        <translation>Weniger zeigen</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more of this kind</source>
        <translation>
            <numerusform>%Ln weitere dieser Art zeigen</numerusform>
            <numerusform>%Ln weitere dieser Art zeigen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::FixList</name>
    <message>
        <source>What Lockstep can do</source>
        <translation>Was Lockstep tun kann</translation>
    </message>
    <message>
        <source>%1 (unsafe)</source>
        <translation>%1 (unsicher)</translation>
    </message>
    <message>
        <source>Hide the preview</source>
        <translation>Vorschau ausblenden</translation>
    </message>
    <message>
        <source>Preview change …</source>
        <translation>Änderung ansehen …</translation>
    </message>
</context>
<context>
    <name>lockstep::FixPreview</name>
    <message>
        <source>The compartment is created first: in its step, or by making all changes</source>
        <translation>Zuerst wird das Compartment angelegt: in seinem Schritt oder mit allen Änderungen</translation>
    </message>
    <message>
        <source>I &amp;understand</source>
        <translation>Ich &amp;verstehe</translation>
    </message>
    <message>
        <source>Calls that do it</source>
        <translation>Aufrufe, die es tun</translation>
    </message>
    <message>
        <source>Close the preview</source>
        <translation>Vorschau schließen</translation>
    </message>
    <message>
        <source>The change is being made</source>
        <translation>Die Änderung wird gemacht</translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation>&amp;Anwenden</translation>
    </message>
    <message>
        <source>Makes exactly the change that is shown</source>
        <translation>Macht genau die gezeigte Änderung</translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation>noch nichts</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>wie es ist</translation>
    </message>
    <message>
        <source>as it would be</source>
        <translation>wie es wäre</translation>
    </message>
    <message>
        <source>Nothing is asked of a service</source>
        <translation>Kein Dienst wird aufgerufen</translation>
    </message>
    <message numerus="yes">
        <source>Calls that do it (%Ln)</source>
        <translation>
            <numerusform>Aufruf, der es tut (%Ln)</numerusform>
            <numerusform>Aufrufe, die es tun (%Ln)</numerusform>
        </translation>
    </message>
    <message>
        <source>Preview: %1</source>
        <translation>Vorschau: %1</translation>
    </message>
    <message>
        <source>Applying …</source>
        <translation>Wird angewendet …</translation>
    </message>
    <message>
        <source>Tick “I understand” first</source>
        <translation>Zuerst „Ich verstehe“ ankreuzen</translation>
    </message>
    <message>
        <source>Unsafe: this grants, opens or gives away more than other fixes do, so it waits for your judgement. It can be taken back.</source>
        <translation>Unsicher: Dies gewährt, öffnet oder gibt mehr her als andere Behebungen und wartet darum auf Ihr Urteil. Es lässt sich zurücknehmen.</translation>
    </message>
</context>
<context>
    <name>lockstep::FixSeriesPanel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>These changes are made one after the other, in this order. If one fails, those after it are left. Each can be taken back. What grants or opens more than is needed is not among them.</source>
        <translation>Diese Änderungen werden nacheinander vorgenommen, in dieser Reihenfolge. Scheitert eine, bleiben die danach aus. Jede lässt sich zurücknehmen. Was mehr gewährt oder öffnet als nötig, ist nicht darunter.</translation>
    </message>
    <message>
        <source>Changes and the calls that make them</source>
        <translation>Änderungen und die Aufrufe, die sie vornehmen</translation>
    </message>
    <message>
        <source>&amp;Back to the step</source>
        <translation>&amp;Zurück zum Schritt</translation>
    </message>
    <message>
        <source>The changes are being made</source>
        <translation>Die Änderungen werden vorgenommen</translation>
    </message>
    <message>
        <source>Makes exactly the changes that are listed</source>
        <translation>Nimmt genau die aufgeführten Änderungen vor</translation>
    </message>
    <message numerus="yes">
        <source>%Ln change(s) that Lockstep can make</source>
        <translation>
            <numerusform>%Ln Änderung, die Lockstep vornehmen kann</numerusform>
            <numerusform>%Ln Änderungen, die Lockstep vornehmen kann</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Make %Ln change(s)</source>
        <translation>
            <numerusform>%Ln Änderung &amp;vornehmen</numerusform>
            <numerusform>%Ln Änderungen &amp;vornehmen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::FormSection</name>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Show the fields that are rarely used, too</source>
        <translation>Auch die selten gebrauchten Felder zeigen</translation>
    </message>
    <message>
        <source>More fields: %1</source>
        <translation>Mehr Felder: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::FormTexts</name>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>The job is created under this name.</source>
        <translation>Unter diesem Namen wird der Job angelegt.</translation>
    </message>
    <message>
        <source>Every node runs this image.</source>
        <translation>Jeder Knoten führt dieses Image aus.</translation>
    </message>
    <message>
        <source>Folder in object storage where the nodes meet and leave their records.</source>
        <translation>Ordner im Object Storage, in dem sich die Knoten treffen und ihre Aufzeichnungen ablegen.</translation>
    </message>
    <message>
        <source>Worker nodes besides the main node: the cluster has one node more.</source>
        <translation>Worker-Knoten neben dem Hauptknoten: der Cluster hat einen Knoten mehr.</translation>
    </message>
    <message>
        <source>The compute shape of every node.</source>
        <translation>Der Compute-Shape jedes Knotens.</translation>
    </message>
    <message>
        <source>The program that every rank runs.</source>
        <translation>Das Programm, das jeder Rang ausführt.</translation>
    </message>
    <message>
        <source>the container image</source>
        <translation>dem Container-Image</translation>
    </message>
    <message>
        <source>a Git repository</source>
        <translation>einem Git-Repository</translation>
    </message>
    <message>
        <source>object storage</source>
        <translation>Object Storage</translation>
    </message>
    <message>
        <source>Passed to the entry point of every rank.</source>
        <translation>Geht an den Einstiegspunkt jedes Rangs.</translation>
    </message>
    <message>
        <source>Empty: the value is “%1”</source>
        <translation>Leer: der Wert ist „%1“</translation>
    </message>
    <message>
        <source>YAML reads this as “%1”</source>
        <translation>YAML liest dies als „%1“</translation>
    </message>
    <message>
        <source>Each node starts one rank per GPU; they meet at the main node, port 29400.</source>
        <translation>Jeder Knoten startet einen Rang je GPU; sie treffen sich am Hauptknoten, Port 29400.</translation>
    </message>
    <message>
        <source>The main node runs the scheduler (port 8786, dashboard 8787), the workers run dask-worker.</source>
        <translation>Auf dem Hauptknoten läuft der Scheduler (Port 8786, Dashboard 8787), auf den Workern dask-worker.</translation>
    </message>
    <message>
        <source>horovodrun on the main node starts the ranks over SSH (WORKER_PORT); MIN_NP, MAX_NP and SLOTS say how many.</source>
        <translation>horovodrun startet die Ränge vom Hauptknoten aus über SSH (WORKER_PORT); MIN_NP, MAX_NP und SLOTS sagen, wie viele.</translation>
    </message>
    <message>
        <source>ParameterServer strategy: the main node is the chief.</source>
        <translation>Strategie ParameterServer: Der Hauptknoten ist der Chief.</translation>
    </message>
    <message>
        <source>MultiWorkerMirrored strategy; parameter servers turn it into ParameterServer.</source>
        <translation>Strategie MultiWorkerMirrored; mit Parameterservern wird daraus ParameterServer.</translation>
    </message>
    <message>
        <source>The main node runs the head (port 3000); the entry point runs there.</source>
        <translation>Auf dem Hauptknoten läuft der Head (Port 3000); dort läuft auch das Startprogramm.</translation>
    </message>
    <message>
        <source>Looked for in OCI__CODE_DIR (/code); an absolute path is taken as it is.</source>
        <translation>Wird in OCI__CODE_DIR (/code) gesucht; ein absoluter Pfad gilt, wie er ist.</translation>
    </message>
    <message>
        <source>Looked for in /code; an absolute path is taken as it is.</source>
        <translation>Wird in /code gesucht; ein absoluter Pfad gilt, wie er ist.</translation>
    </message>
    <message>
        <source>Run as it is: an absolute path such as /code/train.py.</source>
        <translation>Wird so gestartet, wie es hier steht: ein absoluter Pfad wie /code/train.py.</translation>
    </message>
    <message>
        <source>The containers of ads hand these on, but Ray&apos;s start scripts ignore them.</source>
        <translation>Die Container von ads reichen sie weiter, aber die Startskripte von Ray beachten sie nicht.</translation>
    </message>
    <message>
        <source>Horovod reads HOROVOD_ARGS from the environment instead.</source>
        <translation>Horovod liest stattdessen HOROVOD_ARGS aus der Umgebung.</translation>
    </message>
    <message>
        <source>&amp;Cluster</source>
        <translation>&amp;Cluster</translation>
    </message>
    <message>
        <source>&amp;Nodes</source>
        <translation>K&amp;noten</translation>
    </message>
    <message>
        <source>Env&amp;ironment</source>
        <translation>&amp;Umgebung</translation>
    </message>
    <message>
        <source>&amp;Machine of each node</source>
        <translation>&amp;Maschine jedes Knotens</translation>
    </message>
    <message>
        <source>La&amp;yout</source>
        <translation>La&amp;yout</translation>
    </message>
    <message>
        <source>&amp;Where it runs</source>
        <translation>&amp;Wo es läuft</translation>
    </message>
    <message>
        <source>Cer&amp;tificates</source>
        <translation>Zer&amp;tifikate</translation>
    </message>
    <message>
        <source>Training c&amp;ode</source>
        <translation>Trainingsc&amp;ode</translation>
    </message>
    <message>
        <source>Ta&amp;gs</source>
        <translation>Ta&amp;gs</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>Framework</translation>
    </message>
    <message>
        <source>What starts the ranks in the containers.</source>
        <translation>Was die Ränge in den Containern startet.</translation>
    </message>
    <message>
        <source>Container image</source>
        <translation>Container-Image</translation>
    </message>
    <message>
        <source>Work dir</source>
        <translation>Arbeitsverzeichnis</translation>
    </message>
    <message>
        <source>Ephemeral</source>
        <translation>Ephemeral</translation>
    </message>
    <message>
        <source>Passed to the containers as OCI__EPHEMERAL, which take every text for true: a cluster always ends with its program.</source>
        <translation>Geht als OCI__EPHEMERAL an die Container, die jeden Text für wahr halten: Ein Cluster endet immer mit seinem Programm.</translation>
    </message>
    <message>
        <source>Main node name</source>
        <translation>Name des Hauptknotens</translation>
    </message>
    <message>
        <source>The main node is where rank 0 runs; its job run gets this name.</source>
        <translation>Auf dem Hauptknoten läuft Rang 0; sein Job-Lauf bekommt diesen Namen.</translation>
    </message>
    <message>
        <source>Main nodes</source>
        <translation>Hauptknoten</translation>
    </message>
    <message>
        <source>One is started, whatever this says.</source>
        <translation>Gestartet wird einer, was immer hier steht.</translation>
    </message>
    <message>
        <source>Worker name</source>
        <translation>Name der Worker</translation>
    </message>
    <message>
        <source>The job runs of the workers get this name and a number.</source>
        <translation>Die Job-Läufe der Worker bekommen diesen Namen und eine Nummer.</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Parameter server name</source>
        <translation>Name der Parameterserver</translation>
    </message>
    <message>
        <source>The job runs of the parameter servers get this name and a number.</source>
        <translation>Die Job-Läufe der Parameterserver bekommen diesen Namen und eine Nummer.</translation>
    </message>
    <message>
        <source>Parameter servers</source>
        <translation>Parameterserver</translation>
    </message>
    <message>
        <source>With parameter servers the program has to use the ParameterServer strategy.</source>
        <translation>Mit Parameterservern muss das Programm die Strategie ParameterServer benutzen.</translation>
    </message>
    <message>
        <source>Arguments of the command that starts the node, as one line.</source>
        <translation>Argumente des Befehls, der den Knoten startet, in einer Zeile.</translation>
    </message>
    <message>
        <source>Start options of every node</source>
        <translation>Startoptionen aller Knoten</translation>
    </message>
    <message>
        <source>Start options of the main node</source>
        <translation>Startoptionen des Hauptknotens</translation>
    </message>
    <message>
        <source>Start options of the workers</source>
        <translation>Startoptionen der Worker</translation>
    </message>
    <message>
        <source>Start options of the parameter servers</source>
        <translation>Startoptionen der Parameterserver</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Shape</translation>
    </message>
    <message>
        <source>OCPUs</source>
        <translation>OCPUs</translation>
    </message>
    <message>
        <source>Of each node, for flexible shapes.</source>
        <translation>Je Knoten, für flexible Shapes.</translation>
    </message>
    <message>
        <source>Memory (GB)</source>
        <translation>Speicher (GB)</translation>
    </message>
    <message>
        <source>CPU baseline</source>
        <translation>CPU-Grundlast</translation>
    </message>
    <message>
        <source>The share of a core that a burstable shape may always use.</source>
        <translation>Der Anteil eines Kerns, den ein Burst-Shape immer nutzen darf.</translation>
    </message>
    <message>
        <source>the whole core</source>
        <translation>der ganze Kern</translation>
    </message>
    <message>
        <source>Block storage (GB)</source>
        <translation>Blockspeicher (GB)</translation>
    </message>
    <message>
        <source>Of each node; 50 GB is the least.</source>
        <translation>Je Knoten; mindestens 50 GB.</translation>
    </message>
    <message>
        <source>Infrastructure type</source>
        <translation>Art der Infrastruktur</translation>
    </message>
    <message>
        <source>Follows from the subnet when the file does not say it.</source>
        <translation>Folgt aus dem Subnetz, wenn die Datei es nicht sagt.</translation>
    </message>
    <message>
        <source>Compartment</source>
        <translation>Compartment</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>Subnet</source>
        <translation>Subnetz</translation>
    </message>
    <message>
        <source>Log group</source>
        <translation>Log-Gruppe</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Display name</source>
        <translation>Anzeigename</translation>
    </message>
    <message>
        <source>The name of the job when the cluster has none.</source>
        <translation>Der Name des Jobs, wenn der Cluster keinen hat.</translation>
    </message>
    <message>
        <source>Certificate authority</source>
        <translation>Zertifizierungsstelle</translation>
    </message>
    <message>
        <source>With an authority and a certificate the cluster speaks TLS, when the start options name the files, too.</source>
        <translation>Mit Zertifizierungsstelle und Zertifikat spricht der Cluster TLS, wenn auch die Startoptionen die Dateien nennen.</translation>
    </message>
    <message>
        <source>Authority file</source>
        <translation>Datei der Zertifizierungsstelle</translation>
    </message>
    <message>
        <source>Certificate</source>
        <translation>Zertifikat</translation>
    </message>
    <message>
        <source>Certificate file</source>
        <translation>Zertifikatsdatei</translation>
    </message>
    <message>
        <source>Key file</source>
        <translation>Schlüsseldatei</translation>
    </message>
    <message>
        <source>Entry point</source>
        <translation>Startprogramm</translation>
    </message>
    <message>
        <source>Code from</source>
        <translation>Code aus</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Keyword arguments</source>
        <translation>Benannte Argumente</translation>
    </message>
    <message>
        <source>Passed to the entry point after the arguments.</source>
        <translation>Gehen nach den Argumenten an das Startprogramm.</translation>
    </message>
    <message>
        <source>Code URI</source>
        <translation>URI des Codes</translation>
    </message>
    <message>
        <source>Where the code comes from when it is not in the image.</source>
        <translation>Woher der Code kommt, wenn er nicht im Image liegt.</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>Branch</translation>
    </message>
    <message>
        <source>Commit</source>
        <translation>Commit</translation>
    </message>
    <message>
        <source>the branch&apos;s newest</source>
        <translation>der neueste des Branches</translation>
    </message>
    <message>
        <source>Wins over the branch.</source>
        <translation>Geht dem Branch vor.</translation>
    </message>
    <message>
        <source>Secret with the Git key</source>
        <translation>Secret mit dem Git-Schlüssel</translation>
    </message>
    <message>
        <source>Vault secret with the SSH key of a private repository.</source>
        <translation>Vault-Secret mit dem SSH-Schlüssel eines privaten Repositorys.</translation>
    </message>
    <message>
        <source>Code folder</source>
        <translation>Code-Ordner</translation>
    </message>
    <message>
        <source>Where the code is put in the container.</source>
        <translation>Wohin der Code im Container kommt.</translation>
    </message>
    <message>
        <source>Python path</source>
        <translation>Python-Pfad</translation>
    </message>
    <message>
        <source>Folders of the code that Python searches, with colons between them.</source>
        <translation>Ordner des Codes, in denen Python sucht, durch Doppelpunkte getrennt.</translation>
    </message>
    <message>
        <source>&amp;Job</source>
        <translation>&amp;Job</translation>
    </message>
    <message>
        <source>Runs as</source>
        <translation>Läuft als</translation>
    </message>
    <message>
        <source>PyTorch, distributed</source>
        <translation>PyTorch, verteilt</translation>
    </message>
    <message>
        <source>container</source>
        <translation>Container</translation>
    </message>
    <message>
        <source>More than one: a native multi-node job.</source>
        <translation>Mehr als einer: ein nativer Mehrknoten-Job.</translation>
    </message>
    <message>
        <source>Longest run (minutes)</source>
        <translation>Längste Laufzeit (Minuten)</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>Container command</source>
        <translation>Befehl des Containers</translation>
    </message>
    <message>
        <source>A list of arguments; a text is split at its commas.</source>
        <translation>Eine Liste von Argumenten; ein Text wird an den Kommas geteilt.</translation>
    </message>
    <message>
        <source>Conda environment</source>
        <translation>Conda-Umgebung</translation>
    </message>
    <message>
        <source>of the service</source>
        <translation>des Dienstes</translation>
    </message>
    <message>
        <source>published in a bucket</source>
        <translation>in einem Bucket veröffentlicht</translation>
    </message>
    <message>
        <source>Slug</source>
        <translation>Slug</translation>
    </message>
    <message>
        <source>Conda URI</source>
        <translation>Conda-URI</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Started on every node.</source>
        <translation>Wird auf jedem Knoten gestartet.</translation>
    </message>
    <message>
        <source>The program to start when there is no command.</source>
        <translation>Das Programm, das startet, wenn es keinen Befehl gibt.</translation>
    </message>
    <message>
        <source>Git repository</source>
        <translation>Git-Repository</translation>
    </message>
    <message>
        <source>Source folder or file</source>
        <translation>Quellordner oder -datei</translation>
    </message>
    <message>
        <source>Instead of a Git repository.</source>
        <translation>Anstelle eines Git-Repositorys.</translation>
    </message>
    <message>
        <source>Working folder</source>
        <translation>Arbeitsordner</translation>
    </message>
    <message>
        <source>DeepSpeed</source>
        <translation>DeepSpeed</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>Output folder</source>
        <translation>Ausgabeordner</translation>
    </message>
    <message>
        <source>Output URI</source>
        <translation>Ausgabe-URI</translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>chief</source>
        <translation>Chief</translation>
    </message>
    <message>
        <source>head</source>
        <translation>Head</translation>
    </message>
</context>
<context>
    <name>lockstep::GapCard</name>
    <message>
        <source>Saw</source>
        <translation>Gesehen</translation>
    </message>
    <message>
        <source>To do</source>
        <translation>Zu tun</translation>
    </message>
</context>
<context>
    <name>lockstep::HealthTexts</name>
    <message>
        <source>its data come slowly or not at all</source>
        <translation>seine Daten kommen langsam oder gar nicht</translation>
    </message>
    <message>
        <source>look at the disk or bucket that it reads from, and try more --workers</source>
        <translation>sehen Sie nach der Platte oder dem Bucket, aus dem er liest, und versuchen Sie mehr --workers</translation>
    </message>
    <message>
        <source>it computes more slowly than the others, or its process is stopped</source>
        <translation>er rechnet langsamer als die anderen, oder sein Prozess ist angehalten</translation>
    </message>
    <message>
        <source>look at the process on its host: whether it runs, and what else uses its cores or its GPU</source>
        <translation>sehen Sie auf seinem Host nach dem Prozess: ob er läuft, und was sonst seine Kerne oder seine GPU nutzt</translation>
    </message>
    <message>
        <source>it is still in an earlier collective: its process is stopped, or its network is</source>
        <translation>er ist noch in einer früheren Kollektive: sein Prozess steht still, oder sein Netz</translation>
    </message>
    <message>
        <source>look at the process on its host, and at the network between the nodes</source>
        <translation>sehen Sie auf seinem Host nach dem Prozess, und nach dem Netz zwischen den Knoten</translation>
    </message>
    <message>
        <source>it writes a checkpoint to a slow place</source>
        <translation>er schreibt einen Checkpoint an einen langsamen Ort</translation>
    </message>
    <message>
        <source>look at the disk or bucket of --checkpoint-dir, or save less often</source>
        <translation>sehen Sie nach der Platte oder dem Bucket von --checkpoint-dir, oder sichern Sie seltener</translation>
    </message>
    <message>
        <source>it is not ready to train yet</source>
        <translation>er ist noch nicht bereit zum Training</translation>
    </message>
    <message>
        <source>look at its log</source>
        <translation>sehen Sie in sein Log</translation>
    </message>
    <message>
        <source>its process is stopped, or its node does not reach the work dir</source>
        <translation>sein Prozess ist angehalten, oder sein Knoten erreicht das Arbeitsverzeichnis nicht</translation>
    </message>
    <message>
        <source>look at its log and at its node; nothing newer is known of the other ranks</source>
        <translation>sehen Sie in sein Log und nach seinem Knoten; von den anderen Rängen ist nichts Neueres bekannt</translation>
    </message>
    <message>
        <source>what they send does not get through</source>
        <translation>was sie senden, kommt nicht durch</translation>
    </message>
    <message>
        <source>look at the network between the nodes: allow TCP on all ports, and the same MTU everywhere</source>
        <translation>sehen Sie nach dem Netz zwischen den Knoten: TCP auf allen Ports erlauben, und überall dieselbe MTU</translation>
    </message>
    <message>
        <source>%1 does reach %2, so one direction is closed</source>
        <translation>%1 erreicht %2 sehr wohl; nur eine Richtung ist also geschlossen</translation>
    </message>
    <message>
        <source>allow TCP into %1 and out of %2 on all ports (security list or NSG of the subnet)</source>
        <translation>erlauben Sie TCP zu %1 hin und von %2 aus auf allen Ports (Sicherheitsliste oder NSG des Subnetzes)</translation>
    </message>
    <message>
        <source>allow TCP between the nodes on all ports (security list or NSG of the subnet)</source>
        <translation>erlauben Sie TCP zwischen den Knoten auf allen Ports (Sicherheitsliste oder NSG des Subnetzes)</translation>
    </message>
</context>
<context>
    <name>lockstep::HeatCanvas</name>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>not a number, else %1</source>
        <translation>keine Zahl, sonst %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation>Schritte %1 bis %2</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
    <message numerus="yes">
        <source>%1 (of %Ln ranks in this line)</source>
        <translation>
            <numerusform>%1 (von %Ln Rang in dieser Zeile)</numerusform>
            <numerusform>%1 (von %Ln Rängen in dieser Zeile)</numerusform>
        </translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
</context>
<context>
    <name>lockstep::HeatLegend</name>
    <message>
        <source>Colors</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>No values.</source>
        <translation>Keine Werte.</translation>
    </message>
    <message>
        <source>From %1 (dark) to %2 (bright).</source>
        <translation>Von %1 (dunkel) bis %2 (hell).</translation>
    </message>
    <message>
        <source>Nearly all values lie between %1 and %2, and have most of the colors.</source>
        <translation>Fast alle Werte liegen zwischen %1 und %2 und haben die meisten der Farben.</translation>
    </message>
    <message>
        <source>Where several steps or ranks share a pixel, it has the value that is furthest from the median.</source>
        <translation>Wo sich mehrere Schritte oder Ränge ein Pixel teilen, hat es den Wert, der am weitesten vom Median entfernt ist.</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
</context>
<context>
    <name>lockstep::IssuesModel</name>
    <message>
        <source>line %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>line %1:%2</source>
        <translation>Zeile %1:%2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 Hinweis</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 Hinweise</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Keine Probleme</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the parts of a list</comment>
        <translation>, </translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>Beheben: %1</translation>
    </message>
    <message>
        <source>%1 (Ctrl+.)</source>
        <translation>%1 (Strg+.)</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>Beheben</translation>
    </message>
</context>
<context>
    <name>lockstep::IssuesPanel</name>
    <message>
        <source>1 error</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 Hinweis</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 Hinweise</translation>
    </message>
    <message>
        <source>Show the errors</source>
        <translation>Die Fehler zeigen</translation>
    </message>
    <message>
        <source>Show the warnings</source>
        <translation>Die Warnungen zeigen</translation>
    </message>
    <message>
        <source>Show the notes</source>
        <translation>Die Hinweise zeigen</translation>
    </message>
    <message>
        <source>Show or hide the list of problems</source>
        <translation>Die Liste der Probleme zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Apply every fix that needs no decision; undo takes them back together</source>
        <translation>Alles beheben, was keine Entscheidung braucht; „Rückgängig“ nimmt es zusammen zurück</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Problems: %1</source>
        <translation>Probleme: %1</translation>
    </message>
    <message>
        <source>Fi&amp;x all (%1)</source>
        <translation>Alles be&amp;heben (%1)</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Keine Probleme</translation>
    </message>
</context>
<context>
    <name>lockstep::IssuesView</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
</context>
<context>
    <name>lockstep::LaunchAdvice</name>
    <message>
        <source>Open Setup: %1</source>
        <translation>Einrichtung öffnen: %1</translation>
    </message>
    <message>
        <source>Use what the set-up found</source>
        <translation>Gefundenes übernehmen</translation>
    </message>
    <message>
        <source>This train.yaml leaves ids and places open</source>
        <translation>In dieser train.yaml sind Kennungen und Orte noch offen</translation>
    </message>
    <message>
        <source>A check of the tenancy finds what can stand there.</source>
        <translation>Eine Prüfung der Tenancy findet, was dort stehen kann.</translation>
    </message>
    <message>
        <source>Fill in from “%1”</source>
        <translation>Aus „%1“ ausfüllen</translation>
    </message>
    <message>
        <source>Looking at what “%1” has …</source>
        <translation>Es wird nachgesehen, was „%1“ hat …</translation>
    </message>
    <message>
        <source>The steps of the set-up are checked; nothing is created or changed.</source>
        <translation>Die Schritte der Einrichtung werden geprüft; nichts wird angelegt oder geändert.</translation>
    </message>
    <message>
        <source>Filled in as far as the set-up found something</source>
        <translation>Ausgefüllt, so weit die Einrichtung etwas gefunden hat</translation>
    </message>
    <message>
        <source>The set-up found nothing that could be filled in</source>
        <translation>Die Einrichtung hat nichts gefunden, was sich einsetzen ließe</translation>
    </message>
    <message>
        <source>The rest has to be created or chosen first.</source>
        <translation>Der Rest muss erst angelegt oder gewählt werden.</translation>
    </message>
    <message>
        <source>fill in from “%1”</source>
        <translation>aus „%1“ ausfüllen</translation>
    </message>
    <message>
        <source>Filled in from “%1”; undo takes it back</source>
        <translation>Aus „%1“ ausgefüllt; Rückgängig nimmt es zurück</translation>
    </message>
</context>
<context>
    <name>lockstep::LaunchProgressText</name>
    <message>
        <source>checking this machine</source>
        <translation>dieser Rechner wird geprüft</translation>
    </message>
    <message>
        <source>starting the rehearsal region</source>
        <translation>die Probe-Region wird gestartet</translation>
    </message>
    <message>
        <source>copying the code</source>
        <translation>der Code wird kopiert</translation>
    </message>
    <message>
        <source>creating job “%1”</source>
        <translation>Job „%1“ wird angelegt</translation>
    </message>
    <message>
        <source>creating job run “%1”</source>
        <translation>Job-Lauf „%1“ wird angelegt</translation>
    </message>
    <message>
        <source>launched</source>
        <translation>gestartet</translation>
    </message>
</context>
<context>
    <name>lockstep::LayoutBar</name>
    <message>
        <source>Layout of the cards</source>
        <translation>Anordnung der Karten</translation>
    </message>
    <message>
        <source>Which cards are shown</source>
        <translation>Welche Karten gezeigt werden</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>Karten</translation>
    </message>
    <message>
        <source>Add a card, undo a change, save this layout</source>
        <translation>Karte hinzufügen, Änderung zurücknehmen, diese Anordnung speichern</translation>
    </message>
    <message>
        <source>&amp;Add a card …</source>
        <translation>&amp;Karte hinzufügen …</translation>
    </message>
    <message>
        <source>Undo:</source>
        <translation>Rückgängig:</translation>
    </message>
    <message>
        <source>Redo:</source>
        <translation>Wiederholen:</translation>
    </message>
    <message>
        <source>&amp;Reset this layout</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Save as …</source>
        <translation>&amp;Speichern als …</translation>
    </message>
    <message>
        <source>Re&amp;name …</source>
        <translation>&amp;Umbenennen …</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>%1 (changed)</source>
        <translation>%1 (geändert)</translation>
    </message>
    <message>
        <source>Save the layout</source>
        <translation>Anordnung speichern</translation>
    </message>
    <message>
        <source>Rename the layout</source>
        <translation>Anordnung umbenennen</translation>
    </message>
</context>
<context>
    <name>lockstep::LayoutList</name>
    <message>
        <source>Reset the layout</source>
        <translation>Anordnung zurücksetzen</translation>
    </message>
</context>
<context>
    <name>lockstep::LayoutPanel</name>
    <message>
        <source>One job run per node</source>
        <translation>Ein Job-Lauf je Knoten</translation>
    </message>
    <message>
        <source>One multi-node job run</source>
        <translation>Ein Mehrknoten-Job-Lauf</translation>
    </message>
    <message>
        <source>Layout of the nodes</source>
        <translation>Layout der Knoten</translation>
    </message>
    <message>
        <source>As ads does it: the nodes find each other by files in the work dir.</source>
        <translation>Wie ads es macht: Die Knoten finden sich durch Dateien im Arbeitsverzeichnis.</translation>
    </message>
    <message>
        <source>OCI&apos;s native multi-node job: one job run spans all nodes, and the service tells each node the addresses of the others.</source>
        <translation>OCIs nativer Mehrknoten-Job: Ein Job-Lauf umfasst alle Knoten, und der Dienst nennt jedem Knoten die Adressen der anderen.</translation>
    </message>
    <message>
        <source>A job file with more than one replica is one multi-node job run.</source>
        <translation>Eine Job-Datei mit mehr als einem Replikat ist ein Mehrknoten-Job-Lauf.</translation>
    </message>
    <message>
        <source>The service starts all nodes in one job run and tells them about each other. RANK is not set; NODE_RANK is.</source>
        <translation>Der Dienst startet alle Knoten in einem Job-Lauf und macht sie miteinander bekannt. RANK ist nicht gesetzt, NODE_RANK schon.</translation>
    </message>
    <message>
        <source>Each node is a job run of its own; they meet by files in the work dir.</source>
        <translation>Jeder Knoten ist ein eigener Job-Lauf; sie finden sich durch Dateien im Arbeitsverzeichnis.</translation>
    </message>
    <message>
        <source>change to one job run per node</source>
        <translation>zu einem Job-Lauf je Knoten wechseln</translation>
    </message>
    <message>
        <source>change to a multi-node job run</source>
        <translation>zu einem Mehrknoten-Job-Lauf wechseln</translation>
    </message>
    <message>
        <source>change %1</source>
        <translation>%1 ändern</translation>
    </message>
</context>
<context>
    <name>lockstep::LayoutTexts</name>
    <message>
        <source>Overview</source>
        <translation>Überblick</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Hunt the straggler</source>
        <translation>Den Nachzügler finden</translation>
    </message>
</context>
<context>
    <name>lockstep::LineRulesButton</name>
    <message>
        <source>%1 lines</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>not used: its steps go back</source>
        <translation>nicht verwendet: ihre Schritte gehen zurück</translation>
    </message>
    <message>
        <source>not used: its lines report different things</source>
        <translation>nicht verwendet: ihre Zeilen berichten Verschiedenes</translation>
    </message>
    <message>
        <source>%1 since %2</source>
        <translation>%1 seit %2</translation>
    </message>
    <message>
        <source>Which rules read samples from the lines</source>
        <translation>Welche Regeln Messwerte aus den Zeilen lesen</translation>
    </message>
    <message>
        <source>&amp;Read samples from the lines</source>
        <translation>&amp;Messwerte aus den Zeilen lesen</translation>
    </message>
    <message>
        <source>&amp;Own expression, before the rules</source>
        <translation>&amp;Eigener Ausdruck, vor den Regeln</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>The lines of this run are read again</source>
        <translation>Die Zeilen dieses Laufs werden neu gelesen</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Lines: not read</source>
        <translation>Zeilen: nicht gelesen</translation>
    </message>
    <message>
        <source>Lines: %1</source>
        <translation>Zeilen: %1</translation>
    </message>
    <message>
        <source>Which rules read samples from the lines of this run</source>
        <translation>Welche Regeln Messwerte aus den Zeilen dieses Laufs lesen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a rule and how many lines it has read</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>lockstep::LogFilterBar</name>
    <message>
        <source>Show only lines of this level and above</source>
        <translation>Nur Zeilen ab dieser Stufe zeigen</translation>
    </message>
    <message>
        <source>All levels</source>
        <translation>Alle Stufen</translation>
    </message>
    <message>
        <source>Info and above</source>
        <translation>Info und höher</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>Warnungen und Fehler</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Filter lines</source>
        <translation>Zeilen filtern</translation>
    </message>
</context>
<context>
    <name>lockstep::LogFindBar</name>
    <message>
        <source>Find in the lines shown</source>
        <translation>In den gezeigten Zeilen suchen</translation>
    </message>
    <message>
        <source>Find previous (Shift+F3)</source>
        <translation>Vorheriges suchen (Umschalt+F3)</translation>
    </message>
    <message>
        <source>Find next (F3)</source>
        <translation>Nächstes suchen (F3)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
</context>
<context>
    <name>lockstep::LogModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>%1, marked</source>
        <translation>%1, markiert</translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln line(s) folded</source>
        <translation>
            <numerusform>%1, %Ln Zeile gefaltet</numerusform>
            <numerusform>%1, %Ln Zeilen gefaltet</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::LogTable</name>
    <message>
        <source>Log lines</source>
        <translation>Log-Zeilen</translation>
    </message>
</context>
<context>
    <name>lockstep::LogView</name>
    <message>
        <source>Copied the first %1 lines; save them to have all</source>
        <translation>Die ersten %1 Zeilen sind kopiert; wer alle braucht, speichert sie</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Save shown lines…</source>
        <translation>Gezeigte Zeilen speichern …</translation>
    </message>
    <message>
        <source>Copy lines</source>
        <translation>Zeilen kopieren</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen …</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Falten</translation>
    </message>
    <message>
        <source>Show one line for a traceback, for what NCCL tells in one go and for the updates of a progress bar</source>
        <translation>Für einen Traceback, für zusammenhängende Meldungen von NCCL und für die Stände eines Fortschrittsbalkens je eine Zeile zeigen</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Mark words in every line, up to 9 in a colour of their own (Ctrl+Shift+H)</source>
        <translation>Wörter in jeder Zeile hervorheben, bis zu 9 in eigener Farbe (Strg+Umschalt+H)</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save all lines…</source>
        <translation>Alle Zeilen speichern …</translation>
    </message>
    <message>
        <source>Copy text as it came</source>
        <translation>Text kopieren, wie er kam</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Vorheriger Treffer</translation>
    </message>
    <message>
        <source>Filter…</source>
        <translation>Filtern …</translation>
    </message>
    <message>
        <source>Go to line or time…</source>
        <translation>Gehe zu Zeile oder Zeit …</translation>
    </message>
    <message>
        <source>Mark or unmark</source>
        <translation>Markieren oder Markierung aufheben</translation>
    </message>
    <message>
        <source>Next mark</source>
        <translation>Nächste Markierung</translation>
    </message>
    <message>
        <source>Previous mark</source>
        <translation>Vorherige Markierung</translation>
    </message>
    <message>
        <source>Next error of this rank</source>
        <translation>Nächster Fehler dieses Rangs</translation>
    </message>
    <message>
        <source>Previous error of this rank</source>
        <translation>Vorheriger Fehler dieses Rangs</translation>
    </message>
    <message>
        <source>Words in colours…</source>
        <translation>Wörter in Farben …</translation>
    </message>
    <message>
        <source>Save matches…</source>
        <translation>Treffer speichern …</translation>
    </message>
</context>
<context>
    <name>lockstep::MainWindow</name>
    <message>
        <source>Be &amp;told of findings …</source>
        <translation>&amp;Befunde mitteilen …</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Setup</source>
        <translation>Einrichtung</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Setup</source>
        <translation>&amp;Einrichtung</translation>
    </message>
    <message>
        <source>&amp;Clusters</source>
        <translation>&amp;Cluster</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>&amp;Läufe</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;About Lockstep</source>
        <translation>&amp;Über Lockstep</translation>
    </message>
    <message>
        <source>No profile</source>
        <translation>Kein Profil</translation>
    </message>
    <message>
        <source>Profile %1 · region %2</source>
        <translation>Profil %1 · Region %2</translation>
    </message>
    <message>
        <source>About Lockstep</source>
        <translation>Über Lockstep</translation>
    </message>
    <message>
        <source>Configure, launch and watch distributed training on Oracle Cloud Infrastructure.
Free software under the GNU General Public License, version 3 or later.</source>
        <translation>Verteiltes Training auf Oracle Cloud Infrastructure einrichten, starten und verfolgen.
Freie Software unter der GNU General Public License, Version 3 oder später.</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <source>&amp;Activity</source>
        <translation>&amp;Aktivität</translation>
    </message>
    <message>
        <source>Every call of the services, with its status, duration and request id</source>
        <translation>Jeder Aufruf der Dienste mit Status, Dauer und Anfrage-ID</translation>
    </message>
</context>
<context>
    <name>lockstep::MessageBar</name>
    <message>
        <source>Where: %1</source>
        <translation>Wo: %1</translation>
    </message>
    <message>
        <source>Service: %1 %2</source>
        <translation>Dienst: %1 %2</translation>
    </message>
    <message>
        <source>Answer: none arrived</source>
        <translation>Antwort: keine angekommen</translation>
    </message>
    <message>
        <source>Answer: HTTP %1 %2</source>
        <translation>Antwort: HTTP %1 %2</translation>
    </message>
    <message>
        <source>Request id: %1</source>
        <translation>Anfrage-Kennung: %1</translation>
    </message>
    <message>
        <source>Kind: %1</source>
        <translation>Art: %1</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Show what the service answered</source>
        <translation>Zeigen, was der Dienst geantwortet hat</translation>
    </message>
    <message>
        <source>Copy the message</source>
        <translation>Meldung kopieren</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>lockstep::MetricPlot</name>
    <message>
        <source>by step</source>
        <translation>nach Schritt</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln ranks.</source>
        <translation>
            <numerusform>%1 von %Ln Rang.</numerusform>
            <numerusform>%1 von %Ln Rängen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank %1: %2 at step %3.</source>
        <translation>Rang %1: %2 bei Schritt %3.</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks: median, 10–90 %, extremes</source>
        <translation>
            <numerusform>%Ln Rang: Median, 10–90 %, Extreme</numerusform>
            <numerusform>%Ln Ränge: Median, 10–90 %, Extreme</numerusform>
        </translation>
    </message>
    <message>
        <source>Median %1, from %2 to %3, at step %4.</source>
        <translation>Median %1, von %2 bis %3, bei Schritt %4.</translation>
    </message>
    <message>
        <source>Median: &lt;b&gt;%1&lt;/b&gt;, %2 … %3</source>
        <translation>Median: &lt;b&gt;%1&lt;/b&gt;, %2 … %3</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neustart</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>Alert</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1 bei Schritt %2</translation>
    </message>
    <message>
        <source>%1 at step %2: %3</source>
        <translation>%1 bei Schritt %2: %3</translation>
    </message>
    <message>
        <source>by epoch</source>
        <translation>nach Epoche</translation>
    </message>
    <message>
        <source>by time since the first sample</source>
        <translation>nach Zeit seit dem ersten Messwert</translation>
    </message>
    <message>
        <source>by time of day</source>
        <translation>nach Uhrzeit</translation>
    </message>
    <message>
        <source>by samples taken in</source>
        <translation>nach verarbeiteten Beispielen</translation>
    </message>
    <message>
        <source>%1 (right axis)</source>
        <translation>%1 (rechte Achse)</translation>
    </message>
    <message>
        <source>times were not measured</source>
        <translation>Zeiten wurden nicht gemessen</translation>
    </message>
    <message>
        <source>epochs were not measured</source>
        <translation>Epochen wurden nicht gemessen</translation>
    </message>
    <message>
        <source>samples per step were not measured</source>
        <translation>Beispiele je Schritt wurden nicht gemessen</translation>
    </message>
    <message>
        <source>silent since %1</source>
        <translation>still seit %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln silent</source>
        <translation>
            <numerusform>%Ln still</numerusform>
            <numerusform>%Ln still</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks are silent.</source>
        <translation>
            <numerusform>%Ln Rang ist still.</numerusform>
            <numerusform>%Ln Ränge sind still.</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank %1: %2 at step %3, %4.</source>
        <translation>Rang %1: %2 bei Schritt %3, %4.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln Rang</numerusform>
            <numerusform>%Ln Ränge</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::MetricTexts</name>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Mean loss</source>
        <translation>Mittlerer Loss</translation>
    </message>
    <message>
        <source>over all ranks, where it was computed</source>
        <translation>über alle Ränge, wo er berechnet wurde</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>of an evaluation</source>
        <translation>einer Auswertung</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Samples pro Sekunde</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>Tokens pro Sekunde</translation>
    </message>
    <message>
        <source>Model FLOPs utilization</source>
        <translation>FLOP-Ausnutzung des Modells</translation>
    </message>
    <message>
        <source>of the most that the GPU can compute</source>
        <translation>von dem, was die GPU höchstens rechnet</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Waiting for data</source>
        <translation>Warten auf Daten</translation>
    </message>
    <message>
        <source>Host to device</source>
        <translation>Host zu Gerät</translation>
    </message>
    <message>
        <source>copying the batch</source>
        <translation>Kopieren des Batches</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Waiting for peers</source>
        <translation>Warten auf andere</translation>
    </message>
    <message>
        <source>for the slowest peer, in collectives</source>
        <translation>auf den langsamsten Rang, in Kollektiven</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>in collectives, once all had come</source>
        <translation>in Kollektiven, sobald alle da waren</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Sonstiges</translation>
    </message>
    <message>
        <source>what is left of the step</source>
        <translation>was vom Schritt übrig bleibt</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>of the mean gradient, before it is clipped</source>
        <translation>des mittleren Gradienten, bevor er begrenzt wird</translation>
    </message>
    <message>
        <source>Reduced per step</source>
        <translation>Reduziert je Schritt</translation>
    </message>
    <message>
        <source>handed over to be summed, in this step</source>
        <translation>in diesem Schritt zum Summieren übergeben</translation>
    </message>
    <message>
        <source>GPU utilization</source>
        <translation>GPU-Auslastung</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>GPU-Speicher</translation>
    </message>
    <message>
        <source>used, on the whole device</source>
        <translation>belegt, auf dem ganzen Gerät</translation>
    </message>
    <message>
        <source>GPU power</source>
        <translation>GPU-Leistung</translation>
    </message>
    <message>
        <source>GPU temperature</source>
        <translation>GPU-Temperatur</translation>
    </message>
    <message>
        <source>GPU clock</source>
        <translation>GPU-Takt</translation>
    </message>
    <message>
        <source>of the multiprocessors</source>
        <translation>der Multiprozessoren</translation>
    </message>
    <message>
        <source>GPU memory clock</source>
        <translation>GPU-Speichertakt</translation>
    </message>
    <message>
        <source>GPU memory errors</source>
        <translation>GPU-Speicherfehler</translation>
    </message>
    <message>
        <source>uncorrected, since the driver was loaded</source>
        <translation>nicht korrigierte, seit der Treiber geladen wurde</translation>
    </message>
    <message>
        <source>Last Xid error</source>
        <translation>Letzter Xid-Fehler</translation>
    </message>
    <message>
        <source>the number of the last one seen; 0: none</source>
        <translation>die Nummer des zuletzt gesehenen; 0: keiner</translation>
    </message>
    <message>
        <source>GPU processes</source>
        <translation>GPU-Prozesse</translation>
    </message>
    <message>
        <source>that compute on it, whoever started them</source>
        <translation>die darauf rechnen, wer immer sie gestartet hat</translation>
    </message>
    <message>
        <source>GPU utilization of the node</source>
        <translation>GPU-Auslastung des Knotens</translation>
    </message>
    <message>
        <source>mean over its GPUs</source>
        <translation>Mittel über seine GPUs</translation>
    </message>
    <message>
        <source>CPU utilization</source>
        <translation>CPU-Auslastung</translation>
    </message>
    <message>
        <source>100 % is one core</source>
        <translation>100 % ist ein Kern</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Resident memory</source>
        <translation>Belegter Speicher</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Disk reads</source>
        <translation>Lesen von der Platte</translation>
    </message>
    <message>
        <source>of this process</source>
        <translation>dieses Prozesses</translation>
    </message>
    <message>
        <source>Disk writes</source>
        <translation>Schreiben auf die Platte</translation>
    </message>
    <message>
        <source>CPU of the whole node</source>
        <translation>CPU des ganzen Knotens</translation>
    </message>
    <message>
        <source>Memory of the whole node</source>
        <translation>Speicher des ganzen Knotens</translation>
    </message>
    <message>
        <source>that nothing else could have</source>
        <translation>den sonst nichts haben könnte</translation>
    </message>
    <message>
        <source>Disk of the whole node</source>
        <translation>Platte des ganzen Knotens</translation>
    </message>
    <message>
        <source>used, of what users can have</source>
        <translation>belegt, von dem für Nutzer</translation>
    </message>
    <message>
        <source>CPU utilization of the node</source>
        <translation>CPU-Auslastung des Knotens</translation>
    </message>
    <message>
        <source>of all its processors</source>
        <translation>aller seiner Prozessoren</translation>
    </message>
    <message>
        <source>Memory of the node</source>
        <translation>Speicher des Knotens</translation>
    </message>
    <message>
        <source>resident, of all of it</source>
        <translation>belegt, vom ganzen</translation>
    </message>
    <message>
        <source>Disk of the node</source>
        <translation>Platte des Knotens</translation>
    </message>
    <message>
        <source>used, of all of it</source>
        <translation>belegt, von der ganzen</translation>
    </message>
    <message>
        <source>Network, received</source>
        <translation>Netz, empfangen</translation>
    </message>
    <message>
        <source>of the node, without loopback</source>
        <translation>des Knotens, ohne Loopback</translation>
    </message>
    <message>
        <source>Network, sent</source>
        <translation>Netz, gesendet</translation>
    </message>
    <message>
        <source>RDMA, received</source>
        <translation>RDMA, empfangen</translation>
    </message>
    <message>
        <source>InfiniBand and RoCE of the node</source>
        <translation>InfiniBand und RoCE des Knotens</translation>
    </message>
    <message>
        <source>RDMA, sent</source>
        <translation>RDMA, gesendet</translation>
    </message>
    <message>
        <source>Network of the node, received</source>
        <translation>Netz des Knotens, empfangen</translation>
    </message>
    <message>
        <source>since the sample before</source>
        <translation>seit dem Wert davor</translation>
    </message>
    <message>
        <source>Network of the node, sent</source>
        <translation>Netz des Knotens, gesendet</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>from 0</source>
        <translation>ab 0</translation>
    </message>
    <message>
        <source>Steps in total</source>
        <translation>Schritte insgesamt</translation>
    </message>
    <message>
        <source>how many this run is going to take</source>
        <translation>wie viele dieser Lauf machen wird</translation>
    </message>
    <message>
        <source>Last checkpoint</source>
        <translation>Letzter Checkpoint</translation>
    </message>
    <message>
        <source>the step of the newest one that is stored</source>
        <translation>der Schritt des neuesten, der gespeichert ist</translation>
    </message>
    <message>
        <source>Rows dropped</source>
        <translation>Verworfene Zeilen</translation>
    </message>
    <message>
        <source>samples that the writer had to give up, in total</source>
        <translation>Werte, die der Schreiber aufgeben musste, insgesamt</translation>
    </message>
    <message>
        <source>Loss and accuracy</source>
        <translation>Loss und Genauigkeit</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Time of a step</source>
        <translation>Zeit eines Schritts</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>% of one core</source>
        <translation>% eines Kerns</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B/s</source>
        <translation>B/s</translation>
    </message>
    <message>
        <source>1/s</source>
        <translation>1/s</translation>
    </message>
    <message>
        <source>W</source>
        <translation>W</translation>
    </message>
    <message>
        <source>°C</source>
        <translation>°C</translation>
    </message>
    <message>
        <source>MHz</source>
        <translation>MHz</translation>
    </message>
</context>
<context>
    <name>lockstep::MigrationPreview</name>
    <message>
        <source>Change the layout</source>
        <translation>Layout wechseln</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Beibehalten</translation>
    </message>
    <message>
        <source>What the other layout changes</source>
        <translation>Was das andere Layout ändert</translation>
    </message>
    <message>
        <source>What changes</source>
        <translation>Was sich ändert</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>then</source>
        <translation>dann</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Dann</translation>
    </message>
    <message>
        <source>%1: %2; then: %3</source>
        <translation>%1: %2; dann: %3</translation>
    </message>
</context>
<context>
    <name>lockstep::MultiNodeSettings</name>
    <message>
        <source>no limit of its own</source>
        <translation>keine eigene Grenze</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>Own subnet</source>
        <translation>Eigenes Subnetz</translation>
    </message>
    <message>
        <source>Managed by the service</source>
        <translation>Vom Dienst verwaltet</translation>
    </message>
    <message>
        <source>Default (together)</source>
        <translation>Vorgabe (zusammen)</translation>
    </message>
    <message>
        <source>All groups together</source>
        <translation>Alle Gruppen zusammen</translation>
    </message>
    <message>
        <source>One group after the other</source>
        <translation>Eine Gruppe nach der anderen</translation>
    </message>
    <message>
        <source>One after the other: a group starts when the probe of the one before succeeds.</source>
        <translation>Nacheinander: Eine Gruppe startet, wenn die Probe der vorigen gelingt.</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Start-up order</source>
        <translation>Startreihenfolge</translation>
    </message>
    <message>
        <source>Longest run time</source>
        <translation>Längste Laufzeit</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>start-up order</source>
        <translation>Startreihenfolge</translation>
    </message>
    <message>
        <source>longest run time</source>
        <translation>längste Laufzeit</translation>
    </message>
    <message>
        <source>All nodes are alike: one node group. A setting below gives main and workers a node group each.</source>
        <translation>Alle Knoten sind gleich: eine Knotengruppe. Eine Angabe unten gibt Hauptknoten und Workern je eine eigene.</translation>
    </message>
    <message>
        <source>One node group per role. What is left open is as for all nodes.</source>
        <translation>Eine Knotengruppe je Rolle. Was offen bleibt, ist wie bei allen Knoten.</translation>
    </message>
    <message>
        <source>The service makes a network for the nodes of this job alone: there is no port to open, and nothing of your own network is reached.</source>
        <translation>Der Dienst legt ein Netz allein für die Knoten dieses Jobs an: Kein Port ist zu öffnen, und nichts aus Ihrem eigenen Netz ist erreichbar.</translation>
    </message>
    <message>
        <source>The nodes stand in the subnet of the infrastructure, which has to let them reach each other.</source>
        <translation>Die Knoten stehen im Subnetz der Infrastruktur, das ihnen erlauben muss, sich zu erreichen.</translation>
    </message>
    <message>
        <source>An own network needs the subnet of the infrastructure: give it below.</source>
        <translation>Ein eigenes Netz braucht das Subnetz der Infrastruktur: Geben Sie es unten an.</translation>
    </message>
</context>
<context>
    <name>lockstep::NameDialog</name>
    <message>
        <source>Name of the layout</source>
        <translation>Name der Anordnung</translation>
    </message>
    <message>
        <source>&amp;Name of the layout</source>
        <translation>&amp;Name der Anordnung</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>lockstep::NodeGroupSettings</name>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>as all nodes</source>
        <translation>wie alle Knoten</translation>
    </message>
    <message>
        <source>The service runs this command in a node until it succeeds; then the node counts as started. Of use when the groups start one after the other.</source>
        <translation>Der Dienst führt diesen Befehl in einem Knoten aus, bis er gelingt; dann gilt der Knoten als gestartet. Nützlich, wenn die Gruppen nacheinander starten.</translation>
    </message>
    <message>
        <source>The job run succeeds when this many nodes of the group do.</source>
        <translation>Der Job-Lauf gelingt, wenn so viele Knoten der Gruppe gelingen.</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>Have to succeed</source>
        <translation>Müssen gelingen</translation>
    </message>
    <message>
        <source>OCPUs</source>
        <translation>OCPUs</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Every</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Failures at most</source>
        <translation>Fehlversuche höchstens</translation>
    </message>
    <message>
        <source>First after</source>
        <translation>Zuerst nach</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Shape</translation>
    </message>
    <message>
        <source>Start-up probe</source>
        <translation>Startprobe</translation>
    </message>
    <message>
        <source>nodes that have to succeed</source>
        <translation>Knoten, die gelingen müssen</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>time between probes</source>
        <translation>Zeit zwischen Proben</translation>
    </message>
    <message>
        <source>failures of the probe</source>
        <translation>Fehlversuche der Probe</translation>
    </message>
    <message>
        <source>time before the first probe</source>
        <translation>Zeit vor der ersten Probe</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>Shape</translation>
    </message>
    <message>
        <source>probe</source>
        <translation>Probe</translation>
    </message>
</context>
<context>
    <name>lockstep::NodeTiles</name>
    <message>
        <source>Nodes and GPUs</source>
        <translation>Knoten und GPUs</translation>
    </message>
    <message>
        <source>No samples yet.</source>
        <translation>Noch keine Messwerte.</translation>
    </message>
    <message>
        <source>Node of rank %1</source>
        <translation>Knoten von Rang %1</translation>
    </message>
    <message>
        <source>%1: GPU of rank %2</source>
        <translation>%1: GPU von Rang %2</translation>
    </message>
    <message>
        <source>%1: not measured</source>
        <translation>%1: nicht gemessen</translation>
    </message>
</context>
<context>
    <name>lockstep::PairEditor</name>
    <message>
        <source>Storage mounts</source>
        <translation>Eingehängter Speicher</translation>
    </message>
    <message>
        <source>Free-form tags</source>
        <translation>Freie Tags</translation>
    </message>
    <message>
        <source>oci://bucket@namespace/prefix or mount target:export, and the folder in the container</source>
        <translation>oci://bucket@namespace/prefix oder Mount-Ziel:Export, und der Ordner im Container</translation>
    </message>
    <message>
        <source>Set on the job; its runs get none</source>
        <translation>Stehen am Job; seine Läufe bekommen keine</translation>
    </message>
    <message>
        <source>Add a storage mount</source>
        <translation>Speicher einhängen</translation>
    </message>
    <message>
        <source>Add a tag</source>
        <translation>Tag hinzufügen</translation>
    </message>
    <message>
        <source>Add (Insert)</source>
        <translation>Hinzufügen (Einfg)</translation>
    </message>
    <message>
        <source>Remove storage mounts</source>
        <translation>Eingehängten Speicher entfernen</translation>
    </message>
    <message>
        <source>Remove tags</source>
        <translation>Tags entfernen</translation>
    </message>
    <message>
        <source>Remove the selected lines (Delete)</source>
        <translation>Die gewählten Zeilen entfernen (Entf)</translation>
    </message>
</context>
<context>
    <name>lockstep::PairModel</name>
    <message>
        <source>add tag</source>
        <translation>Tag hinzufügen</translation>
    </message>
    <message>
        <source>add storage mount</source>
        <translation>Speicher einhängen</translation>
    </message>
    <message>
        <source>remove storage mount</source>
        <translation>eingehängten Speicher entfernen</translation>
    </message>
    <message>
        <source>remove tag</source>
        <translation>Tag entfernen</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Folder in the container</source>
        <translation>Ordner im Container</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>rename tag</source>
        <translation>Tag umbenennen</translation>
    </message>
    <message>
        <source>change tag</source>
        <translation>Tag ändern</translation>
    </message>
    <message>
        <source>change storage mount</source>
        <translation>eingehängten Speicher ändern</translation>
    </message>
</context>
<context>
    <name>lockstep::PassPhraseDialog</name>
    <message>
        <source>Pass phrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>The private key of the profile %1 is encrypted</source>
        <translation>Der private Schlüssel des Profils %1 ist verschlüsselt</translation>
    </message>
    <message>
        <source>The pass phrase kept in the keychain does not open this key.</source>
        <translation>Die Passphrase aus dem Schlüsselbund öffnet diesen Schlüssel nicht.</translation>
    </message>
    <message>
        <source>That pass phrase does not open this key.</source>
        <translation>Diese Passphrase öffnet den Schlüssel nicht.</translation>
    </message>
    <message>
        <source>&amp;Pass phrase:</source>
        <translation>&amp;Passphrase:</translation>
    </message>
    <message>
        <source>Pass phrase of the key</source>
        <translation>Passphrase des Schlüssels</translation>
    </message>
    <message>
        <source>&amp;Keep it in the system&apos;s keychain</source>
        <translation>Im &amp;Schlüsselbund des Systems aufbewahren</translation>
    </message>
    <message>
        <source>No keychain answers on this computer: the pass phrase is kept until Lockstep ends</source>
        <translation>Auf diesem Rechner antwortet kein Schlüsselbund: Die Passphrase bleibt, bis Lockstep endet</translation>
    </message>
    <message>
        <source>&amp;Open the key</source>
        <translation>Schlüssel &amp;öffnen</translation>
    </message>
</context>
<context>
    <name>lockstep::PhaseModel</name>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>%1, process %2</source>
        <translation>%1, Prozess %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Rank 0 writes down every few seconds where all ranks are</source>
        <translation>Rang 0 schreibt alle paar Sekunden auf, wo alle Ränge sind</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Doing</source>
        <translation>Tut</translation>
    </message>
    <message>
        <source>For</source>
        <translation>Seit</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>Kollektive</translation>
    </message>
    <message>
        <source>Heartbeat</source>
        <translation>Herzschlag</translation>
    </message>
    <message>
        <source>ended; last: %1</source>
        <translation>beendet; zuletzt: %1</translation>
    </message>
    <message>
        <source>Host, process</source>
        <translation>Host, Prozess</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>lockstep::PlotMenu</name>
    <message>
        <source>Copy or save this chart</source>
        <translation>Diese Grafik kopieren oder speichern</translation>
    </message>
    <message>
        <source>%1: copy or save</source>
        <translation>%1: kopieren oder speichern</translation>
    </message>
    <message>
        <source>&amp;Copy picture</source>
        <translation>Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>Save &amp;picture …</source>
        <translation>&amp;Bild speichern …</translation>
    </message>
    <message>
        <source>Save the &amp;values in sight …</source>
        <translation>Sichtbare &amp;Werte speichern …</translation>
    </message>
</context>
<context>
    <name>lockstep::QuantityTree</name>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Axis on the right</source>
        <translation>Achse rechts</translation>
    </message>
    <message>
        <source>Of the training script</source>
        <translation>Vom Trainingsskript</translation>
    </message>
    <message>
        <source>Measured in this run: %1</source>
        <translation>In diesem Lauf gemessen: %1</translation>
    </message>
    <message>
        <source>Not in this run: %1</source>
        <translation>Nicht in diesem Lauf: %1</translation>
    </message>
    <message>
        <source>%1: axis on the right</source>
        <translation>%1: Achse rechts</translation>
    </message>
    <message>
        <source>Not in this run</source>
        <translation>Nicht in diesem Lauf</translation>
    </message>
    <message>
        <source>This run has not measured it: the card stays empty until a run does.</source>
        <translation>Dieser Lauf hat sie nicht gemessen: Die Karte bleibt leer, bis ein Lauf sie misst.</translation>
    </message>
</context>
<context>
    <name>lockstep::RankHeatMap</name>
    <message>
        <source>No samples yet.</source>
        <translation>Noch keine Messwerte.</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Order of the ranks</source>
        <translation>Reihenfolge der Ränge</translation>
    </message>
    <message>
        <source>By rank</source>
        <translation>Nach Rang</translation>
    </message>
    <message>
        <source>Slowest first</source>
        <translation>Langsamste zuerst</translation>
    </message>
    <message>
        <source>Slowest first: by what a step takes without waiting for peers, since the rank that waits least is the one that the others wait for. Ranks of one node stay together.</source>
        <translation>Langsamste zuerst: danach, was ein Schritt ohne das Warten auf andere braucht; auf den Rang, der am wenigsten wartet, warten die anderen. Ränge eines Knotens bleiben beisammen.</translation>
    </message>
    <message>
        <source>%1, ranks over steps</source>
        <translation>%1, Ränge über Schritte</translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln Rang</numerusform>
            <numerusform>%Ln Ränge</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 steps</source>
        <translation>%1, %2 Schritte</translation>
    </message>
    <message>
        <source>%1; no value is a number</source>
        <translation>%1; kein Wert ist eine Zahl</translation>
    </message>
    <message>
        <source>%1; smallest: rank %2 at step %3, %4</source>
        <translation>%1; kleinster Wert: Rang %2 bei Schritt %3, %4</translation>
    </message>
    <message>
        <source>%1; largest: rank %2 at step %3, %4</source>
        <translation>%1; größter Wert: Rang %2 bei Schritt %3, %4</translation>
    </message>
</context>
<context>
    <name>lockstep::RankLegend</name>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Show or hide rank %1</source>
        <translation>Rang %1 ein- oder ausblenden</translation>
    </message>
    <message>
        <source>%1, silent for %2</source>
        <translation>%1, seit %2 still</translation>
    </message>
    <message>
        <source>%1
No sample since %2, after step %3, while other ranks went on</source>
        <translation>%1
Keine Messwerte seit %2, nach Schritt %3, während andere Ränge weitermachten</translation>
    </message>
</context>
<context>
    <name>lockstep::RankMenu</name>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Draw the ranks of a node, the workers or the slowest</source>
        <translation>Die Ränge eines Knotens, die Worker oder die langsamsten zeichnen</translation>
    </message>
    <message>
        <source>%1 (%L2 ranks: too many curves)</source>
        <translation>%1 (%L2 Ränge: zu viele Kurven)</translation>
    </message>
    <message>
        <source>&amp;Slowest %1</source>
        <translation>&amp;Langsamste %1</translation>
    </message>
    <message>
        <source>&amp;Main node</source>
        <translation>&amp;Hauptknoten</translation>
    </message>
    <message>
        <source>&amp;Workers</source>
        <translation>&amp;Worker</translation>
    </message>
    <message>
        <source>By &amp;node</source>
        <translation>Nach &amp;Knoten</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>K&amp;eine</translation>
    </message>
</context>
<context>
    <name>lockstep::RankPage</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Back to the cards (Escape)</source>
        <translation>Zurück zu den Karten (Escape)</translation>
    </message>
    <message>
        <source>The rank before</source>
        <translation>Der Rang davor</translation>
    </message>
    <message>
        <source>The next rank</source>
        <translation>Der nächste Rang</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
</context>
<context>
    <name>lockstep::RankPhaseTexts</name>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>joining</source>
        <translation>tritt bei</translation>
    </message>
    <message>
        <source>loading data</source>
        <translation>lädt Daten</translation>
    </message>
    <message>
        <source>building the network</source>
        <translation>baut das Netz</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>host to device</source>
        <translation>Host zum Gerät</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>waiting for peers</source>
        <translation>wartet auf andere Ränge</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>sichert</translation>
    </message>
    <message>
        <source>ending</source>
        <translation>endet</translation>
    </message>
</context>
<context>
    <name>lockstep::RankPicker</name>
    <message>
        <source>Draw ranks, e.g. 0-3, 17</source>
        <translation>Ränge zeichnen, z. B. 0-3, 17</translation>
    </message>
    <message>
        <source>Ranks with a curve of their own</source>
        <translation>Ränge mit eigener Kurve</translation>
    </message>
    <message>
        <source>These ranks are drawn over the band of all; others that lie apart are drawn, too.</source>
        <translation>Diese Ränge werden über das Band aller gezeichnet; andere, die abseits liegen, auch.</translation>
    </message>
</context>
<context>
    <name>lockstep::RankTable</name>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
</context>
<context>
    <name>lockstep::RankTableModel</name>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Last sample</source>
        <translation>Letzter Wert</translation>
    </message>
    <message>
        <source>No sample for %1 after step %2, while other ranks went on</source>
        <translation>Seit %1 keine Messung nach Schritt %2, während andere Ränge weiterliefen</translation>
    </message>
</context>
<context>
    <name>lockstep::RankTiles</name>
    <message>
        <source>No samples yet.</source>
        <translation>Noch keine Messwerte.</translation>
    </message>
    <message>
        <source>Rank %1 and the median of all ranks</source>
        <translation>Rang %1 und der Median aller Ränge</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>Median %1</translation>
    </message>
    <message>
        <source>%1: not measured by this rank, median of all ranks %2</source>
        <translation>%1: von diesem Rang nicht gemessen, Median aller Ränge %2</translation>
    </message>
    <message>
        <source>%1: %2, median of all ranks %3</source>
        <translation>%1: %2, Median aller Ränge %3</translation>
    </message>
</context>
<context>
    <name>lockstep::ReachModel</name>
    <message>
        <source>%1 took no part in the test of the network</source>
        <translation>%1 hat an der Prüfung des Netzes nicht teilgenommen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>from %1 to %2: %3</source>
        <translation>von %1 zu %2: %3</translation>
    </message>
    <message>
        <source>From \ to</source>
        <translation>Von \ zu</translation>
    </message>
</context>
<context>
    <name>lockstep::ReachPanel</name>
    <message>
        <source>Which node reaches which</source>
        <translation>Welcher Knoten welchen erreicht</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more; the table shows them all</source>
        <translation>
            <numerusform>und eine weitere; die Tabelle zeigt alle</numerusform>
            <numerusform>und %Ln weitere; die Tabelle zeigt alle</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::RemoteRunsDialog</name>
    <message>
        <source>Jobs of the tenancy</source>
        <translation>Jobs der Tenancy</translation>
    </message>
    <message>
        <source>Compartments that were looked into</source>
        <translation>Compartments, in denen nachgesehen wurde</translation>
    </message>
    <message>
        <source>Filter by name, state, OCID …</source>
        <translation>Nach Name, Zustand, OCID filtern …</translation>
    </message>
    <message>
        <source>Filter the jobs</source>
        <translation>Die Jobs filtern</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter löschen</translation>
    </message>
    <message>
        <source>Compartment</source>
        <translation>Compartment</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Running and ended</source>
        <translation>Laufende und beendete</translation>
    </message>
    <message>
        <source>Only running</source>
        <translation>Nur laufende</translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation>&amp;Noch einmal nachsehen</translation>
    </message>
    <message>
        <source>&amp;Take up</source>
        <translation>Auf&amp;nehmen</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>All jobs that are running and do not stand among the runs of this computer</source>
        <translation>Alle laufenden Jobs, die nicht unter den Läufen dieses Rechners stehen</translation>
    </message>
    <message>
        <source>The chosen jobs stand among the runs of this computer then: their logs and metrics can be followed, and they can be cancelled where the policies allow it</source>
        <translation>Die gewählten Jobs stehen dann unter den Läufen dieses Rechners: Ihren Logs und Messwerten lässt sich folgen, und sie lassen sich abbrechen, wo die Policies es erlauben</translation>
    </message>
    <message>
        <source>The page of the chosen job, which is taken up first where it is new here (Enter)</source>
        <translation>Die Seite des gewählten Jobs, der zuvor aufgenommen wird, wenn er hier neu ist (Eingabe)</translation>
    </message>
    <message>
        <source>All compartments</source>
        <translation>Alle Compartments</translation>
    </message>
    <message>
        <source>All projects</source>
        <translation>Alle Projekte</translation>
    </message>
    <message>
        <source>(tenancy)</source>
        <translation>(Tenancy)</translation>
    </message>
    <message>
        <source>Looking for compartments …</source>
        <translation>Compartments werden gesucht …</translation>
    </message>
    <message>
        <source>%1 of %2 compartments looked into</source>
        <translation>In %1 von %2 Compartments nachgesehen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln job(s)</source>
        <translation>
            <numerusform>%Ln Job</numerusform>
            <numerusform>%Ln Jobs</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 jobs</source>
        <translation>%1 von %2 Jobs</translation>
    </message>
    <message numerus="yes">
        <source>%Ln compartment(s) not looked into: the job runs there may not be read</source>
        <translation>
            <numerusform>In einem Compartment nicht nachgesehen: Die Job Runs dort dürfen nicht gelesen werden</numerusform>
            <numerusform>In %Ln Compartments nicht nachgesehen: Die Job Runs dort dürfen nicht gelesen werden</numerusform>
        </translation>
    </message>
    <message>
        <source>Take up all &amp;running</source>
        <translation>Alle &amp;laufenden aufnehmen</translation>
    </message>
    <message>
        <source>Take up all &amp;running (%1)</source>
        <translation>Alle &amp;laufenden aufnehmen (%1)</translation>
    </message>
</context>
<context>
    <name>lockstep::RemoteRunsModel</name>
    <message>
        <source>(tenancy)</source>
        <translation>(Tenancy)</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>Launched by %1</source>
        <translation>Gestartet von %1</translation>
    </message>
    <message>
        <source>Whether the job stands among the runs of this computer</source>
        <translation>Ob der Job unter den Läufen dieses Rechners steht</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Job</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Job runs</source>
        <translation>Job Runs</translation>
    </message>
    <message>
        <source>Compartment</source>
        <translation>Compartment</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
</context>
<context>
    <name>lockstep::ResourcePicker</name>
    <message>
        <source>compartments</source>
        <translation>Compartments</translation>
    </message>
    <message>
        <source>projects</source>
        <translation>Projekte</translation>
    </message>
    <message>
        <source>subnets</source>
        <translation>Subnetze</translation>
    </message>
    <message>
        <source>log groups</source>
        <translation>Log-Gruppen</translation>
    </message>
    <message>
        <source>logs</source>
        <translation>Logs</translation>
    </message>
    <message>
        <source>buckets</source>
        <translation>Buckets</translation>
    </message>
    <message>
        <source>container images</source>
        <translation>Container-Images</translation>
    </message>
    <message>
        <source>Asking for the %1 …</source>
        <translation>%1 werden abgefragt …</translation>
    </message>
    <message>
        <source>The %1 cannot be listed: %2</source>
        <translation>%1 lassen sich nicht auflisten: %2</translation>
    </message>
    <message>
        <source>Not among the %1 listed</source>
        <translation>Nicht unter den aufgelisteten: %1</translation>
    </message>
    <message>
        <source>There are no %1</source>
        <translation>Es gibt keine %1</translation>
    </message>
    <message>
        <source>The %1 are not known: type the value</source>
        <translation>%1 sind nicht bekannt: Geben Sie den Wert ein</translation>
    </message>
    <message>
        <source>virtual cloud networks</source>
        <translation>VCNs</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>dynamic groups</source>
        <translation>dynamische Gruppen</translation>
    </message>
</context>
<context>
    <name>lockstep::RunExports</name>
    <message>
        <source>Save the log</source>
        <translation>Log speichern</translation>
    </message>
    <message>
        <source>Log files (*.log *.txt);;All files (*)</source>
        <translation>Log-Dateien (*.log *.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG-Bild (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG-Zeichnung (*.svg)</translation>
    </message>
    <message>
        <source>Save the values in sight</source>
        <translation>Sichtbare Werte speichern</translation>
    </message>
    <message>
        <source>CSV tables (*.csv)</source>
        <translation>CSV-Tabellen (*.csv)</translation>
    </message>
</context>
<context>
    <name>lockstep::RunHeader</name>
    <message>
        <source>Cancel run</source>
        <translation>Lauf abbrechen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Ask every node of the run to end</source>
        <translation>Jeden Knoten des Laufs bitten, zu enden</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>How old the newest sample or line is. A slow bucket shows here, not as a slow run.</source>
        <translation>Wie alt der neueste Messwert oder die neueste Zeile ist. Ein langsamer Bucket zeigt sich hier, nicht als langsamer Lauf.</translation>
    </message>
    <message>
        <source>Canceling …</source>
        <translation>Wird abgebrochen …</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>%1 / %2 (%3 %)</source>
        <translation>%1 / %2 (%3 %)</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Noch</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Data lag</source>
        <translation>Datenverzug</translation>
    </message>
    <message>
        <source>no data yet</source>
        <translation>noch keine Daten</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>last data %1 ago</source>
        <translation>letzte Daten vor %1</translation>
    </message>
    <message>
        <source>Stop loading</source>
        <translation>Laden beenden</translation>
    </message>
    <message>
        <source>Keep what is here; the rest can be loaded later</source>
        <translation>Behält, was hier ist; der Rest lässt sich später laden</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>Geladen</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Lädt</translation>
    </message>
    <message>
        <source>%1 of %2 segments</source>
        <translation>%1 von %2 Segmenten</translation>
    </message>
    <message>
        <source>No step for</source>
        <translation>Kein Schritt seit</translation>
    </message>
    <message>
        <source>Launch the same again: the text that this run was launched from, with the same profile</source>
        <translation>Dasselbe noch einmal starten: den Text, aus dem dieser Lauf gestartet wurde, mit demselben Profil</translation>
    </message>
    <message>
        <source>Launching …</source>
        <translation>Wird gestartet …</translation>
    </message>
    <message>
        <source>Relaunch</source>
        <translation>Erneut starten</translation>
    </message>
    <message>
        <source>Back to the list of runs (Alt+Up); the run continues</source>
        <translation>Zurück zur Liste der Läufe (Alt+Auf); der Lauf geht weiter</translation>
    </message>
    <message>
        <source>What is below is as it was then; state and messages are as they are now</source>
        <translation>Was unten steht, ist der Stand von damals; Zustand und Meldungen sind von jetzt</translation>
    </message>
    <message>
        <source>As of</source>
        <translation>Stand</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Write this run into one file, to keep it or to give it away</source>
        <translation>Diesen Lauf in eine Datei schreiben, um ihn aufzuheben oder weiterzugeben</translation>
    </message>
    <message>
        <source>&amp;Run file …</source>
        <translation>&amp;Laufdatei …</translation>
    </message>
    <message>
        <source>Metrics, lines, train.yaml and findings in one .lockstep file, without secrets; Lockstep opens it on any machine (Ctrl+Shift+E)</source>
        <translation>Metriken, Zeilen, train.yaml und Befunde in einer .lockstep-Datei, ohne Geheimes; Lockstep öffnet sie auf jedem Rechner (Strg+Umschalt+E)</translation>
    </message>
    <message>
        <source>&amp;HTML report …</source>
        <translation>&amp;HTML-Bericht …</translation>
    </message>
    <message>
        <source>A page with its curves, results and findings for any browser, without secrets (Ctrl+Shift+H)</source>
        <translation>Eine Seite mit Kurven, Ergebnissen und Befunden für jeden Browser, ohne Geheimes (Strg+Umschalt+H)</translation>
    </message>
</context>
<context>
    <name>lockstep::RunPage</name>
    <message>
        <source>With changes …</source>
        <translation>Mit Änderungen …</translation>
    </message>
    <message>
        <source>Launch the run again with other arguments, variables or values</source>
        <translation>Den Lauf mit anderen Argumenten, Variablen oder Werten noch einmal starten</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>Der Lauf ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>the curves have gaps there; all other samples are complete</source>
        <translation>die Kurven haben dort Lücken; alle anderen Messwerte sind vollständig</translation>
    </message>
    <message>
        <source>Cancel this run?</source>
        <translation>Diesen Lauf abbrechen?</translation>
    </message>
    <message>
        <source>Cancel run</source>
        <translation>Lauf abbrechen</translation>
    </message>
    <message>
        <source>Keep it running</source>
        <translation>Weiterlaufen lassen</translation>
    </message>
    <message>
        <source>Metric segments that cannot be read: %1</source>
        <translation>Messwert-Segmente, die sich nicht lesen lassen: %1</translation>
    </message>
    <message>
        <source>All its nodes are asked to end. What was not saved in a checkpoint is lost.</source>
        <translation>Alle seine Knoten werden gebeten, zu enden. Was nicht in einem Checkpoint gesichert ist, geht verloren.</translation>
    </message>
    <message>
        <source>Show the phases</source>
        <translation>Phasen zeigen</translation>
    </message>
    <message>
        <source>Show the nodes</source>
        <translation>Knoten zeigen</translation>
    </message>
    <message>
        <source>When the run failed: %1</source>
        <translation>Als der Lauf scheiterte: %1</translation>
    </message>
    <message>
        <source>Show its lines</source>
        <translation>Seine Zeilen zeigen</translation>
    </message>
    <message>
        <source>The log of the node that failed first, at its last error</source>
        <translation>Das Protokoll des Knotens, der zuerst fehlschlug, bei seinem letzten Fehler</translation>
    </message>
    <message>
        <source>Start the region</source>
        <translation>Region starten</translation>
    </message>
    <message>
        <source>The past of this run is not here in full</source>
        <translation>Die Vergangenheit dieses Laufs ist nicht ganz hier</translation>
    </message>
    <message>
        <source>Loading was stopped at %1 of %2 segments; nothing newer comes either.</source>
        <translation>Das Laden wurde bei %1 von %2 Segmenten beendet; auch Neueres kommt nicht.</translation>
    </message>
    <message>
        <source>Load all</source>
        <translation>Alles laden</translation>
    </message>
    <message>
        <source>Relaunch</source>
        <translation>Erneut starten</translation>
    </message>
    <message>
        <source>Launch the same again</source>
        <translation>Dasselbe noch einmal starten</translation>
    </message>
</context>
<context>
    <name>lockstep::RunStateText</name>
    <message>
        <source>Launching</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Hält an</translation>
    </message>
    <message>
        <source>Succeeded</source>
        <translation>Gelungen</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Canceled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>succeeded</source>
        <translation>gelungen</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>hält an</translation>
    </message>
    <message>
        <source>canceled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>gelöscht</translation>
    </message>
    <message>
        <source>needs attention</source>
        <translation>braucht Aufmerksamkeit</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Today %1</source>
        <translation>Heute %1</translation>
    </message>
    <message>
        <source>Yesterday %1</source>
        <translation>Gestern %1</translation>
    </message>
    <message>
        <source>Rehearsal region</source>
        <translation>Probe-Region</translation>
    </message>
    <message>
        <source>No heartbeat</source>
        <translation>Kein Herzschlag</translation>
    </message>
    <message>
        <source>no heartbeat</source>
        <translation>kein Herzschlag</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Run file</source>
        <translation>Laufdatei</translation>
    </message>
</context>
<context>
    <name>lockstep::RunTables</name>
    <message>
        <source>What each rank does now</source>
        <translation>Was jeder Rang jetzt tut</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Messwerte</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>What is known of ranks and nodes</source>
        <translation>Was von Rängen und Knoten bekannt ist</translation>
    </message>
    <message>
        <source>Nothing has been looked at yet.</source>
        <translation>Noch wurde nicht nachgesehen.</translation>
    </message>
    <message>
        <source>This run publishes no phases so far: lockstep-trainer does, once its ranks have joined.</source>
        <translation>Dieser Lauf veröffentlicht bisher keine Phasen: lockstep-trainer tut es, sobald seine Ränge beigetreten sind.</translation>
    </message>
    <message>
        <source>This run published no phases: lockstep-trainer does, other training scripts do not.</source>
        <translation>Dieser Lauf hat keine Phasen veröffentlicht: lockstep-trainer tut es, andere Trainingsskripte nicht.</translation>
    </message>
    <message>
        <source>This run publishes no test of the network so far: lockstep-node does, before the ranks of two nodes or more are started.</source>
        <translation>Dieser Lauf veröffentlicht bisher keine Prüfung des Netzes: lockstep-node tut es, bevor die Ränge von zwei oder mehr Knoten starten.</translation>
    </message>
    <message>
        <source>This run published no test of the network: lockstep-node does, where a run has two nodes or more.</source>
        <translation>Dieser Lauf hat keine Prüfung des Netzes veröffentlicht: lockstep-node tut es, wo ein Lauf zwei oder mehr Knoten hat.</translation>
    </message>
    <message>
        <source>something holds the run up</source>
        <translation>etwas hält den Lauf auf</translation>
    </message>
    <message>
        <source>some nodes do not reach each other</source>
        <translation>einige Knoten erreichen einander nicht</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>This is not recorded: it is known of now alone, and not of the time that is shown.</source>
        <translation>Das wird nicht aufgezeichnet: Es ist nur für jetzt bekannt, nicht für die gezeigte Zeit.</translation>
    </message>
</context>
<context>
    <name>lockstep::RunsController</name>
    <message>
        <source>The old history is kept as %1</source>
        <translation>Der alte Verlauf liegt nun in %1</translation>
    </message>
    <message>
        <source>Archived; lines that this machine kept were freed: %1</source>
        <translation>Archiviert; Zeilen, die dieser Rechner behielt, wurden freigegeben: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::RunsModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Gestartet</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Failure</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Rehearsed: nothing was charged. In the service it would have cost that.</source>
        <translation>Geprobt: Es wurde nichts berechnet. Im Dienst hätte es so viel gekostet.</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
</context>
<context>
    <name>lockstep::RunsPage</name>
    <message>
        <source>Relaunch with c&amp;hanges …</source>
        <translation>Mit &amp;Änderungen noch einmal starten …</translation>
    </message>
    <message>
        <source>Launch the run again with other arguments, variables or values (Ctrl+Alt+R)</source>
        <translation>Den Lauf mit anderen Argumenten, Variablen oder Werten noch einmal starten (Strg+Alt+R)</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>&amp;Cancel run</source>
        <translation>Lauf &amp;abbrechen</translation>
    </message>
    <message>
        <source>&amp;Forget</source>
        <translation>&amp;Vergessen</translation>
    </message>
    <message>
        <source>&amp;Refresh</source>
        <translation>Akt&amp;ualisieren</translation>
    </message>
    <message>
        <source>Open the run&apos;s live page (Enter)</source>
        <translation>Die Live-Seite des Laufs öffnen (Eingabe)</translation>
    </message>
    <message>
        <source>Ask every node of the run to end</source>
        <translation>Jeden Knoten des Laufs bitten, zu enden</translation>
    </message>
    <message>
        <source>Take the run off this list; nothing happens in the service (Del)</source>
        <translation>Den Lauf von dieser Liste nehmen; im Dienst geschieht nichts (Entf)</translation>
    </message>
    <message>
        <source>Look at the runs again (F5)</source>
        <translation>Noch einmal nach den Läufen sehen (F5)</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>Noch keine Läufe</translation>
    </message>
    <message>
        <source>A run appears here as soon as you launch a cluster, from this window or with
&quot;lockstep run train.yaml&quot;. It goes on when you close the window.</source>
        <translation>Ein Lauf erscheint hier, sobald Sie einen Cluster starten, aus diesem Fenster oder mit
„lockstep run train.yaml“. Er geht weiter, wenn Sie das Fenster schließen.</translation>
    </message>
    <message>
        <source>Open the cluster designer</source>
        <translation>Cluster-Designer öffnen</translation>
    </message>
    <message>
        <source>Cancel the run &quot;%1&quot;?</source>
        <translation>Den Lauf „%1“ abbrechen?</translation>
    </message>
    <message>
        <source>Cancel run</source>
        <translation>Lauf abbrechen</translation>
    </message>
    <message>
        <source>Keep it running</source>
        <translation>Weiterlaufen lassen</translation>
    </message>
    <message>
        <source>Forget the run &quot;%1&quot;?</source>
        <translation>Den Lauf „%1“ vergessen?</translation>
    </message>
    <message>
        <source>It has not ended: it continues in the service and may cost money, and this list will not show it.</source>
        <translation>Er ist nicht zu Ende: im Dienst geht er weiter und kann Geld kosten, und diese Liste zeigt ihn nicht mehr.</translation>
    </message>
    <message>
        <source>It is taken off this list. Its job, logs and metrics stay where they are.</source>
        <translation>Er wird von dieser Liste genommen. Sein Job, seine Logs und Messwerte bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>All its nodes are asked to end. What was not saved in a checkpoint is lost.</source>
        <translation>Alle seine Knoten werden gebeten, zu enden. Was nicht in einem Checkpoint gesichert ist, geht verloren.</translation>
    </message>
    <message>
        <source>The run history cannot be read</source>
        <translation>Der Verlauf der Läufe lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>Runs that were launched go on, and can be followed by the OCID of their job.</source>
        <translation>Gestartete Läufe gehen weiter und lassen sich über die OCID ihres Jobs verfolgen.</translation>
    </message>
    <message>
        <source>Move it aside and begin a new one</source>
        <translation>Beiseitelegen und einen neuen beginnen</translation>
    </message>
    <message>
        <source>The damaged file is kept under another name in its folder</source>
        <translation>Die beschädigte Datei bleibt unter anderem Namen in ihrem Ordner</translation>
    </message>
    <message>
        <source>Re&amp;launch</source>
        <translation>Erneut &amp;starten</translation>
    </message>
    <message>
        <source>Launch the same again, from the text that the run was launched from (Ctrl+Shift+R)</source>
        <translation>Dasselbe noch einmal starten, aus dem Text, aus dem der Lauf gestartet wurde (Strg+Umschalt+R)</translation>
    </message>
    <message>
        <source>Open fol&amp;der …</source>
        <translation>Or&amp;dner öffnen …</translation>
    </message>
    <message>
        <source>Open a run from its folder in a work dir, only to look at it; the folder can also be dropped on the window (Ctrl+Shift+O)</source>
        <translation>Einen Lauf aus seinem Ordner in einem Arbeitsverzeichnis öffnen, nur zum Ansehen; der Ordner lässt sich auch auf das Fenster ziehen (Strg+Umschalt+O)</translation>
    </message>
    <message>
        <source>&amp;Tenancy …</source>
        <translation>&amp;Tenancy …</translation>
    </message>
    <message>
        <source>Find the jobs of the tenancy, whoever launched them, and take them up (Ctrl+Shift+F)</source>
        <translation>Die Jobs der Tenancy finden, wer auch immer sie gestartet hat, und aufnehmen (Strg+Umschalt+F)</translation>
    </message>
    <message>
        <source>Find jobs of the tenancy …</source>
        <translation>Jobs der Tenancy finden …</translation>
    </message>
    <message>
        <source>What is wrong with the search</source>
        <translation>Was an der Suche nicht stimmt</translation>
    </message>
    <message>
        <source>Co&amp;mpare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>&amp;Tags and note …</source>
        <translation>&amp;Schlagwörter und Notiz …</translation>
    </message>
    <message>
        <source>&amp;Pin</source>
        <translation>An&amp;heften</translation>
    </message>
    <message>
        <source>&amp;Archive</source>
        <translation>&amp;Archivieren</translation>
    </message>
    <message>
        <source>Show arc&amp;hived runs</source>
        <translation>Archi&amp;vierte Läufe zeigen</translation>
    </message>
    <message>
        <source>Lay the selected runs beside each other: curves, results and differences (Ctrl+M)</source>
        <translation>Die gewählten Läufe nebeneinander legen: Kurven, Ergebnisse und Unterschiede (Strg+M)</translation>
    </message>
    <message>
        <source>Tags, group and note of the run (F2)</source>
        <translation>Schlagwörter, Gruppe und Notiz des Laufs (F2)</translation>
    </message>
    <message>
        <source>Take the selected runs out of the list; a search for is:archived finds them</source>
        <translation>Die gewählten Läufe aus der Liste nehmen; eine Suche nach is:archived findet sie</translation>
    </message>
    <message>
        <source>Search: words, tag:…, state:failed, loss&lt;0.3 …</source>
        <translation>Suche: Wörter, tag:…, state:failed, loss&lt;0.3 …</translation>
    </message>
    <message>
        <source>Search the runs</source>
        <translation>Läufe suchen</translation>
    </message>
    <message>
        <source>Words are looked for in name, id, tags, group and note. All that is said has to hold.</source>
        <translation>Wörter werden in Name, Kennung, Schlagwörtern, Gruppe und Notiz gesucht. Alles, was dasteht, muss zutreffen.</translation>
    </message>
    <message>
        <source>A - before it stands for its opposite, and quotes keep words together.</source>
        <translation>Ein - davor steht für das Gegenteil, und Anführungszeichen halten Wörter zusammen.</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>Take out of the &amp;archive</source>
        <translation>Aus dem &amp;Archiv holen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Open run f&amp;ile …</source>
        <translation>Laufdate&amp;i öffnen …</translation>
    </message>
    <message>
        <source>Open a run that was saved into a .lockstep file, only to look at it; the file can also be dropped on the window (Ctrl+Alt+O)</source>
        <translation>Einen Lauf öffnen, der in eine .lockstep-Datei gespeichert wurde, nur zum Ansehen; die Datei kann auch auf das Fenster gezogen werden (Strg+Alt+O)</translation>
    </message>
    <message>
        <source>Copy the runs of a file into this list: a .lockstep file, a table of Weights &amp; Biases, Lightning or others, an event file of TensorBoard (Ctrl+Shift+I)</source>
        <translation>Die Läufe einer Datei in diese Liste kopieren: eine .lockstep-Datei, eine Tabelle von Weights &amp; Biases, Lightning oder anderen, eine Ereignisdatei von TensorBoard (Strg+Umschalt+I)</translation>
    </message>
    <message>
        <source>Copy the runs that TensorBoard shows of a folder into this list</source>
        <translation>Die Läufe, die TensorBoard aus einem Ordner zeigt, in diese Liste kopieren</translation>
    </message>
    <message>
        <source>It is taken off this list, and the copy of its file that this machine has is removed.</source>
        <translation>Er wird aus dieser Liste genommen, und die Kopie seiner Datei auf diesem Rechner wird entfernt.</translation>
    </message>
    <message>
        <source>Open a run file …</source>
        <translation>Laufdatei öffnen …</translation>
    </message>
    <message>
        <source>I&amp;mport a file (.lockstep, .csv, TensorBoard) …</source>
        <translation>Datei i&amp;mportieren (.lockstep, .csv, TensorBoard) …</translation>
    </message>
    <message>
        <source>Import a folder of &amp;TensorBoard …</source>
        <translation>Ordner von &amp;TensorBoard importieren …</translation>
    </message>
    <message>
        <source>F&amp;iles</source>
        <translation>Date&amp;ien</translation>
    </message>
    <message>
        <source>Open runs from files and folders, or take them into this list</source>
        <translation>Läufe aus Dateien und Ordnern öffnen oder in diese Liste nehmen</translation>
    </message>
</context>
<context>
    <name>lockstep::SecretDialog</name>
    <message>
        <source>Secret</source>
        <translation>Geheimnis</translation>
    </message>
    <message>
        <source>Paste the %1</source>
        <translation>%1 einfügen</translation>
    </message>
    <message>
        <source>It is kept in the system&apos;s keychain, handed on without being shown, and written into no file of Lockstep.</source>
        <translation>Es wird im Schlüsselbund des Systems aufbewahrt, ohne Anzeige weitergereicht und in keine Datei von Lockstep geschrieben.</translation>
    </message>
    <message>
        <source>&amp;Use it</source>
        <translation>&amp;Verwenden</translation>
    </message>
</context>
<context>
    <name>lockstep::SetupChecks</name>
    <message>
        <source>last check %1</source>
        <translation>zuletzt geprüft %1</translation>
    </message>
    <message numerus="yes">
        <source>last check %1, %2 s, %Ln read-only call(s)</source>
        <translation>
            <numerusform>zuletzt geprüft %1, %2 s, %Ln nur lesender Aufruf</numerusform>
            <numerusform>zuletzt geprüft %1, %2 s, %Ln nur lesende Aufrufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %Ln call(s) of another kind by this machine meanwhile</source>
        <translation>
            <numerusform>, inzwischen %Ln andersartiger Aufruf dieses Rechners</numerusform>
            <numerusform>, inzwischen %Ln andersartige Aufrufe dieses Rechners</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::SetupController</name>
    <message>
        <source>there is no profile that works; see Setup</source>
        <translation>es gibt kein Profil, das funktioniert; siehe Einrichtung</translation>
    </message>
    <message>
        <source>Starting the rehearsal region …</source>
        <translation>Die Probe-Region wird gestartet …</translation>
    </message>
    <message>
        <source>A small OCI region is started on this machine, which needs no account and costs nothing. It answers within %1 seconds, or it says here why it does not. To launch on OCI instead, make a profile in Setup.</source>
        <translation>Auf diesem Rechner startet eine kleine OCI-Region, die kein Konto braucht und nichts kostet. Sie antwortet innerhalb von %1 Sekunden, oder hier steht, warum nicht. Um stattdessen auf OCI zu starten, legen Sie unter Einrichtung ein Profil an.</translation>
    </message>
    <message>
        <source>The rehearsal region answers at %1</source>
        <translation>Die Probe-Region antwortet unter %1</translation>
    </message>
    <message>
        <source>You are on the rehearsal region</source>
        <translation>Sie arbeiten in der Probe-Region</translation>
    </message>
    <message>
        <source>A small OCI region runs on this machine at %1, with a profile of its own (%2). Launching here costs nothing and needs no account.</source>
        <translation>Auf diesem Rechner läuft unter %1 eine kleine OCI-Region mit einem eigenen Profil (%2). Hier zu starten kostet nichts und braucht kein Konto.</translation>
    </message>
    <message>
        <source>Nothing prevents a launch any more</source>
        <translation>Einem Start steht nichts mehr im Weg</translation>
    </message>
    <message>
        <source>train.yaml does not say yet all that was found or made here.</source>
        <translation>train.yaml nennt noch nicht alles, was hier gefunden oder angelegt wurde.</translation>
    </message>
    <message>
        <source>Use it in train.yaml</source>
        <translation>In train.yaml übernehmen</translation>
    </message>
</context>
<context>
    <name>lockstep::SetupExports</name>
    <message>
        <source>Write the report</source>
        <translation>Bericht schreiben</translation>
    </message>
    <message>
        <source>Web pages (*.html);;All files (*)</source>
        <translation>Webseiten (*.html);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Text (*.txt);;All files (*)</source>
        <translation>Text (*.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The report is written</source>
        <translation>Der Bericht ist geschrieben</translation>
    </message>
    <message>
        <source>%1. Tokens, keys and the middle of OCIDs are left out of it.</source>
        <translation>%1. Token, Schlüssel und die Mitte von OCIDs sind darin ausgelassen.</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>There are no statements to copy yet</source>
        <translation>Es gibt noch keine Anweisungen zum Kopieren</translation>
    </message>
    <message>
        <source>Check the step “%1” first.</source>
        <translation>Prüfen Sie zuerst den Schritt „%1“.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln statement(s) copied</source>
        <translation>
            <numerusform>%Ln Anweisung kopiert</numerusform>
            <numerusform>%Ln Anweisungen kopiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Paste them into a policy of the tenancy, or hand them to whoever administers it.</source>
        <translation>Fügen Sie sie in eine Policy der Tenancy ein oder geben Sie sie an die weiter, die sie verwalten.</translation>
    </message>
</context>
<context>
    <name>lockstep::SetupFixes</name>
    <message>
        <source>Done: %1</source>
        <translation>Erledigt: %1</translation>
    </message>
    <message>
        <source>Show the changes</source>
        <translation>Änderungen zeigen</translation>
    </message>
    <message>
        <source>Taken back: %1</source>
        <translation>Zurückgenommen: %1</translation>
    </message>
    <message>
        <source>Applying …</source>
        <translation>Wird angewendet …</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%1 von %2: %3</translation>
    </message>
    <message>
        <source>%1 of %2 changes made</source>
        <translation>%1 von %2 Änderungen vorgenommen</translation>
    </message>
</context>
<context>
    <name>lockstep::SetupHeader</name>
    <message>
        <source>&amp;Profile</source>
        <translation>P&amp;rofil</translation>
    </message>
    <message>
        <source>The profile of the OCI config file that requests are signed with; type a new name to make one</source>
        <translation>Das Profil der OCI-Konfigurationsdatei, mit dem Anfragen unterschrieben werden; ein neuer Name legt eines an</translation>
    </message>
    <message>
        <source>&amp;Report and export</source>
        <translation>&amp;Bericht und Export</translation>
    </message>
    <message>
        <source>&amp;Check all (F5)</source>
        <translation>Alles &amp;prüfen (F5)</translation>
    </message>
    <message>
        <source>Steps that are ready</source>
        <translation>Schritte, die bereit sind</translation>
    </message>
    <message>
        <source>no profile yet</source>
        <translation>noch kein Profil</translation>
    </message>
    <message>
        <source>choose a profile</source>
        <translation>Profil wählen</translation>
    </message>
    <message>
        <source>Checking: %1 of %2 done</source>
        <translation>Prüfung: %1 von %2 fertig</translation>
    </message>
    <message>
        <source>Not checked yet</source>
        <translation>Noch nicht geprüft</translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation>%1 von %2 bereit</translation>
    </message>
    <message>
        <source>Progress of the check</source>
        <translation>Fortschritt der Prüfung</translation>
    </message>
    <message numerus="yes">
        <source>Nothing prevents a launch, %Ln step(s) with a remark</source>
        <translation>
            <numerusform>Nichts steht im Weg, %Ln Schritt mit Hinweis</numerusform>
            <numerusform>Nichts steht im Weg, %Ln Schritte mit Hinweis</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::SetupPage</name>
    <message>
        <source>&amp;Check all</source>
        <translation>Alles &amp;prüfen</translation>
    </message>
    <message>
        <source>Use the re&amp;hearsal region</source>
        <translation>Die Pr&amp;obe-Region verwenden</translation>
    </message>
    <message>
        <source>Start a region on this machine and sign in to it: nothing leaves this machine and nothing is billed</source>
        <translation>Eine Region auf diesem Rechner starten und sich dort anmelden: nichts verlässt diesen Rechner, und nichts wird berechnet</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>A check is under way</source>
        <translation>Eine Prüfung läuft</translation>
    </message>
    <message>
        <source>Check this &amp;step</source>
        <translation>Diesen &amp;Schritt prüfen</translation>
    </message>
    <message>
        <source>Ask about this step alone (Shift+F5); nothing is created or changed</source>
        <translation>Nur nach diesem Schritt fragen (Umschalt+F5); nichts wird angelegt oder geändert</translation>
    </message>
    <message>
        <source>&amp;Use all that was found in train.yaml</source>
        <translation>Alles Gefundene in train.yaml über&amp;nehmen</translation>
    </message>
    <message>
        <source>Report as &amp;HTML …</source>
        <translation>Bericht als &amp;HTML …</translation>
    </message>
    <message>
        <source>Report as &amp;text …</source>
        <translation>Bericht als &amp;Text …</translation>
    </message>
    <message>
        <source>Copy the &amp;policy statements</source>
        <translation>&amp;Policy-Anweisungen kopieren</translation>
    </message>
    <message>
        <source>Export as Terra&amp;form …</source>
        <translation>Als Terra&amp;form exportieren …</translation>
    </message>
    <message>
        <source>F5 checks all steps, Shift+F5 the current one; Enter leads to what can be done about it</source>
        <translation>F5 prüft alle Schritte, Umschalt+F5 den aktuellen; die Eingabetaste führt zu dem, was sich tun lässt</translation>
    </message>
    <message>
        <source>What fixes have changed or created, and how to take it back</source>
        <translation>Was Behebungen geändert oder angelegt haben, und wie man es zurücknimmt</translation>
    </message>
    <message>
        <source>Changes &amp;made here</source>
        <translation>Hier &amp;gemachte Änderungen</translation>
    </message>
    <message>
        <source>Changes &amp;made here (%1)</source>
        <translation>Hier &amp;gemachte Änderungen (%1)</translation>
    </message>
    <message>
        <source>Ask about every step; nothing is created or changed</source>
        <translation>Nach jedem Schritt fragen; nichts wird angelegt oder geändert</translation>
    </message>
    <message>
        <source>List every change that is previewed in the steps, to make them in one go</source>
        <translation>Jede Änderung aufführen, die die Schritte zeigen, um alle auf einmal vorzunehmen</translation>
    </message>
    <message>
        <source>Go to the next step that something is missing for</source>
        <translation>Zum nächsten Schritt gehen, für den etwas fehlt</translation>
    </message>
    <message numerus="yes">
        <source>Make all %Ln change(s) …</source>
        <translation>
            <numerusform>%Ln Änderung vornehmen …</numerusform>
            <numerusform>Alle %Ln Änderungen vornehmen …</numerusform>
        </translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>Weiter: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ShapePicker</name>
    <message>
        <source>Shapes</source>
        <translation>Shapes</translation>
    </message>
    <message>
        <source>The compute shape of a node</source>
        <translation>Der Compute-Shape eines Knotens</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1, %2 GB each</source>
        <translation>%1, je %2 GB</translation>
    </message>
    <message>
        <source>%1 OCPUs</source>
        <translation>%1 OCPUs</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>%1 to %2 OCPUs</source>
        <translation>%1 bis %2 OCPUs</translation>
    </message>
    <message>
        <source>%1 to %2 GB</source>
        <translation>%1 bis %2 GB</translation>
    </message>
    <message>
        <source>RDMA</source>
        <translation>RDMA</translation>
    </message>
    <message>
        <source>no price known</source>
        <translation>kein Preis bekannt</translation>
    </message>
    <message>
        <source>%1/h (as of %2)</source>
        <translation>%1/h (Stand %2)</translation>
    </message>
    <message>
        <source>%1 per OCPU</source>
        <translation>%1 je OCPU</translation>
    </message>
    <message>
        <source>%1 + %2 per GB</source>
        <translation>%1 + %2 je GB</translation>
    </message>
    <message>
        <source>With GPUs</source>
        <translation>Mit GPUs</translation>
    </message>
    <message>
        <source>CPU only</source>
        <translation>Nur CPU</translation>
    </message>
    <message>
        <source>%1 GB each</source>
        <translation>je %1 GB</translation>
    </message>
    <message>
        <source>%1 Gbit/s</source>
        <translation>%1 Gbit/s</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>No price known</source>
        <translation>Kein Preis bekannt</translation>
    </message>
    <message>
        <source>Per node and hour as of %1; %2</source>
        <translation>Je Knoten und Stunde, Stand %1; %2</translation>
    </message>
    <message>
        <source>Nodes of this shape share a cluster network with RDMA</source>
        <translation>Knoten dieses Shapes haben ein gemeinsames Cluster-Netz mit RDMA</translation>
    </message>
    <message>
        <source>No cluster network</source>
        <translation>Kein Cluster-Netz</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Shape</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>GPU-Speicher</translation>
    </message>
    <message>
        <source>OCPUs</source>
        <translation>OCPUs</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Per hour (%1)</source>
        <translation>Je Stunde (%1)</translation>
    </message>
    <message>
        <source>1 OCPU</source>
        <translation>1 OCPU</translation>
    </message>
</context>
<context>
    <name>lockstep::StepBars</name>
    <message>
        <source>Time of a step, by rank</source>
        <translation>Zeit eines Schritts, nach Rang</translation>
    </message>
    <message>
        <source>%1 (chosen)</source>
        <translation>%1 (gewählt)</translation>
    </message>
    <message>
        <source>not told by any part</source>
        <translation>von keinem Teil erklärt</translation>
    </message>
    <message>
        <source>%1, %2: not measured</source>
        <translation>%1, %2: nicht gemessen</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
    <message>
        <source>%1, %2: %3, %4 % of the step</source>
        <translation>%1, %2: %3, %4 % des Schritts</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2 in all parts; the whole step is not measured</source>
        <translation>%1: %2 in allen Teilen; der ganze Schritt ist nicht gemessen</translation>
    </message>
    <message>
        <source>%1. Not measured: %2</source>
        <translation>%1. Nicht gemessen: %2</translation>
    </message>
</context>
<context>
    <name>lockstep::StepDetails</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Cop&amp;y</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the findings as text</source>
        <translation>Die Befunde als Text kopieren</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Not checked yet. “Check all” asks the service; nothing is created or changed.</source>
        <translation>Noch nicht geprüft. „Alles prüfen“ fragt den Dienst; nichts wird angelegt oder geändert.</translation>
    </message>
    <message>
        <source>Waive …</source>
        <translation>Verzichten …</translation>
    </message>
    <message>
        <source>Do not check this step any more, for a reason that you give</source>
        <translation>Diesen Schritt nicht mehr prüfen, aus einem Grund, den Sie nennen</translation>
    </message>
    <message>
        <source>As it was %1. A check says how it is now, and what can be done.</source>
        <translation>Stand von %1. Eine Prüfung sagt, wie es jetzt ist und was sich tun lässt.</translation>
    </message>
    <message>
        <source>Checking …</source>
        <translation>Wird geprüft …</translation>
    </message>
</context>
<context>
    <name>lockstep::StepTexts</name>
    <message>
        <source>Clock, proxy, DNS and TLS</source>
        <translation>Uhr, Proxy, DNS und TLS</translation>
    </message>
    <message>
        <source>What makes everything else fail when it is wrong: this machine&apos;s clock, a proxy, names that resolve, and certificates that are trusted.</source>
        <translation>Woran sonst alles scheitert: die Uhr dieses Rechners, ein Proxy, Namen, die sich auflösen lassen, und Zertifikate, denen vertraut wird.</translation>
    </message>
    <message>
        <source>Profile and API key</source>
        <translation>Profil und API-Schlüssel</translation>
    </message>
    <message>
        <source>The profile is complete, its key file is readable by you alone, and the service accepts requests signed with it.</source>
        <translation>Das Profil ist vollständig, seine Schlüsseldatei können nur Sie lesen, und der Dienst nimmt damit unterschriebene Anfragen an.</translation>
    </message>
    <message>
        <source>Container engine</source>
        <translation>Container-Engine</translation>
    </message>
    <message>
        <source>Docker, Podman or Rancher Desktop runs, and there is room for the image: it is built here and pushed to the registry.</source>
        <translation>Docker, Podman oder Rancher Desktop läuft, und es ist Platz für das Image: Es wird hier gebaut und in die Registry geschoben.</translation>
    </message>
    <message>
        <source>Compartment and project</source>
        <translation>Compartment und Projekt</translation>
    </message>
    <message>
        <source>Where jobs, buckets and logs are made, and the Data Science project that job runs belong to.</source>
        <translation>Wo Jobs, Buckets und Logs entstehen, und das Data-Science-Projekt, zu dem Job-Läufe gehören.</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Two nodes of the subnet reach each other on the framework&apos;s ports, in both directions, and they reach Object Storage.</source>
        <translation>Zwei Knoten des Subnetzes erreichen einander auf den Ports des Frameworks, in beide Richtungen, und sie erreichen Object Storage.</translation>
    </message>
    <message>
        <source>Work dir bucket</source>
        <translation>Arbeits-Bucket</translation>
    </message>
    <message>
        <source>The bucket of the work dir exists and can be used: the nodes meet there and leave their metrics.</source>
        <translation>Der Bucket des Arbeitsverzeichnisses existiert und ist nutzbar: Dort treffen sich die Knoten und hinterlassen ihre Metriken.</translation>
    </message>
    <message>
        <source>IAM policies</source>
        <translation>IAM-Policies</translation>
    </message>
    <message>
        <source>What you and the job runs may do: the statements that this cluster needs, compared by meaning with those that the tenancy has.</source>
        <translation>Was Sie und die Job-Läufe dürfen: die Anweisungen, die dieser Cluster braucht, der Bedeutung nach verglichen mit denen der Tenancy.</translation>
    </message>
    <message>
        <source>Container repository</source>
        <translation>Container-Repository</translation>
    </message>
    <message>
        <source>The repository of the image exists in the right compartment, and the image&apos;s name is one that the registry understands.</source>
        <translation>Das Repository des Images existiert im richtigen Compartment, und die Registry versteht den Namen des Images.</translation>
    </message>
    <message>
        <source>Registry login</source>
        <translation>Anmeldung an der Registry</translation>
    </message>
    <message>
        <source>The container engine can log in to the region&apos;s registry with your name and an auth token.</source>
        <translation>Die Container-Engine kann sich mit Ihrem Namen und einem Auth-Token an der Registry der Region anmelden.</translation>
    </message>
    <message>
        <source>Log group and log</source>
        <translation>Log-Gruppe und Log</translation>
    </message>
    <message>
        <source>Where the job runs write what they print. Without a log one learns little of a run that fails.</source>
        <translation>Wohin die Job-Läufe schreiben, was sie ausgeben. Ohne Log erfährt man wenig über einen Lauf, der scheitert.</translation>
    </message>
    <message>
        <source>Service limits</source>
        <translation>Dienstgrenzen</translation>
    </message>
    <message>
        <source>The tenancy&apos;s limits leave room for the shapes and the number of nodes of this cluster.</source>
        <translation>Die Grenzen der Tenancy lassen Raum für die Shapes und die Zahl der Knoten dieses Clusters.</translation>
    </message>
    <message>
        <source>Machines of your own</source>
        <translation>Eigene Rechner</translation>
    </message>
    <message>
        <source>Only for runs on your own machines: they can be reached over SSH, have GPUs and drivers, and reach each other.</source>
        <translation>Nur für Läufe auf eigenen Rechnern: Sie sind über SSH erreichbar, haben GPUs und Treiber und erreichen einander.</translation>
    </message>
    <message>
        <source>checking</source>
        <translation>prüft</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>blockiert</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>nicht nötig</translation>
    </message>
    <message>
        <source>waived</source>
        <translation>erlassen</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>step “%1”</source>
        <translation>Schritt „%1“</translation>
    </message>
</context>
<context>
    <name>lockstep::StepTicker</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 T %2 h</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 Beispiele</translation>
    </message>
</context>
<context>
    <name>lockstep::StepAreas</name>
    <message>
        <source>Step time over the steps</source>
        <translation>Schrittzeit über die Schritte</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>Steps %1 to %2: %3</source>
        <translation>Schritte %1 bis %2: %3</translation>
    </message>
</context>
<context>
    <name>lockstep::StepTimeStack</name>
    <message>
        <source>By rank or over time</source>
        <translation>Je Rang oder im Verlauf</translation>
    </message>
    <message>
        <source>By rank</source>
        <translation>Je Rang</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>Im Verlauf</translation>
    </message>
    <message>
        <source>Which rank</source>
        <translation>Welcher Rang</translation>
    </message>
    <message>
        <source>Rank %1, the steps %2 to %3, in ms.</source>
        <translation>Rang %1, die Schritte %2 bis %3, in ms.</translation>
    </message>
    <message>
        <source>No samples yet.</source>
        <translation>Noch keine Messwerte.</translation>
    </message>
    <message>
        <source>Which steps</source>
        <translation>Welche Schritte</translation>
    </message>
    <message>
        <source>Steps in view</source>
        <translation>Sichtbare Schritte</translation>
    </message>
    <message>
        <source>Newest 100 steps</source>
        <translation>Neueste 100 Schritte</translation>
    </message>
    <message>
        <source>Newest 1,000 steps</source>
        <translation>Neueste 1.000 Schritte</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>median: %1</source>
        <translation>Median: %1</translation>
    </message>
    <message>
        <source>%1, the median</source>
        <translation>%1, der Median</translation>
    </message>
    <message>
        <source>Mean of the steps %1 to %2, in ms.</source>
        <translation>Mittel der Schritte %1 bis %2, in ms.</translation>
    </message>
    <message>
        <source>%1 The median and the %2 slowest of %3 ranks.</source>
        <translation>%1 Der Median und die %2 langsamsten von %3 Rängen.</translation>
    </message>
    <message>
        <source>Not measured: %1</source>
        <translation>Nicht gemessen: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::StepsModel</name>
    <message>
        <source>%1, last checked %2</source>
        <translation>%1, zuletzt geprüft %2</translation>
    </message>
    <message>
        <source>%1 of %2, %3: %4</source>
        <translation>%1 von %2, %3: %4</translation>
    </message>
</context>
<context>
    <name>lockstep::TenancyChoices</name>
    <message>
        <source>the tenancy itself</source>
        <translation>die Tenancy selbst</translation>
    </message>
    <message>
        <source>private</source>
        <translation>privat</translation>
    </message>
    <message>
        <source>public</source>
        <translation>öffentlich</translation>
    </message>
    <message>
        <source>disabled</source>
        <translation>abgeschaltet</translation>
    </message>
</context>
<context>
    <name>lockstep::TextDifferenceModel</name>
    <message>
        <source>Enter or a click shows these lines</source>
        <translation>Eingabetaste oder Klick zeigt diese Zeilen</translation>
    </message>
    <message>
        <source>%1 equal lines</source>
        <translation>%1 gleiche Zeilen</translation>
    </message>
    <message>
        <source>removed, line %1: %2</source>
        <translation>entfernt, Zeile %1: %2</translation>
    </message>
    <message>
        <source>added, line %1: %2</source>
        <translation>hinzugefügt, Zeile %1: %2</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
</context>
<context>
    <name>lockstep::TextDifferenceView</name>
    <message>
        <source>Previous change</source>
        <translation>Vorige Änderung</translation>
    </message>
    <message>
        <source>Previous change (Shift+F7)</source>
        <translation>Vorige Änderung (Umschalt+F7)</translation>
    </message>
    <message>
        <source>Next change</source>
        <translation>Nächste Änderung</translation>
    </message>
    <message>
        <source>Next change (F7)</source>
        <translation>Nächste Änderung (F7)</translation>
    </message>
    <message>
        <source>&amp;Back to the text</source>
        <translation>&amp;Zurück zum Text</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>− %1
+ %2</source>
        <translation>− %1
+ %2</translation>
    </message>
    <message>
        <source>No differences</source>
        <translation>Keine Unterschiede</translation>
    </message>
    <message>
        <source>1 line removed</source>
        <translation>1 Zeile entfernt</translation>
    </message>
    <message>
        <source>%1 lines removed</source>
        <translation>%1 Zeilen entfernt</translation>
    </message>
    <message>
        <source>%1, %2 added</source>
        <translation>%1, %2 hinzugefügt</translation>
    </message>
</context>
<context>
    <name>lockstep::ToolRow</name>
    <message>
        <source>More actions</source>
        <translation>Weitere Aktionen</translation>
    </message>
</context>
<context>
    <name>lockstep::WaiverRow</name>
    <message>
        <source>&amp;Waive</source>
        <translation>&amp;Verzichten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Check it after all</source>
        <translation>Doch prüfen</translation>
    </message>
    <message>
        <source>such as “the network team looks after it”</source>
        <translation>etwa „darum kümmert sich das Netzteam“</translation>
    </message>
    <message>
        <source>Reason for waiving this step</source>
        <translation>Grund, auf diesen Schritt zu verzichten</translation>
    </message>
    <message>
        <source>Do not check this step, because</source>
        <translation>Diesen Schritt nicht prüfen, weil</translation>
    </message>
    <message>
        <source>Waived: %1</source>
        <translation>Erlassen: %1</translation>
    </message>
    <message>
        <source>Give a reason first</source>
        <translation>Zuerst einen Grund nennen</translation>
    </message>
</context>
<context>
    <name>lockstep::YamlEditor</name>
    <message>
        <source>train.yaml</source>
        <translation>train.yaml</translation>
    </message>
    <message>
        <source>The document as text. Press Escape and then Tab to leave the editor.</source>
        <translation>Das Dokument als Text. Escape und dann Tab verlassen den Editor.</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
</context>
<context>
    <name>FollowButton</name>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Keep the newest line in sight (End). Scrolling up ends it.</source>
        <translation>Die neueste Zeile im Blick behalten (Ende). Hochscrollen beendet es.</translation>
    </message>
</context>
<context>
    <name>LogTimes</name>
    <message>
        <source>from %1</source>
        <translation>ab %1</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>bis %1</translation>
    </message>
</context>
<context>
    <name>lockstep::LogFilterChips</name>
    <message>
        <source>Filters in force</source>
        <translation>Wirksame Filter</translation>
    </message>
    <message>
        <source>Clear all</source>
        <translation>Alle aufheben</translation>
    </message>
    <message>
        <source>Take away the filter: %1</source>
        <translation>Filter aufheben: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::LogGoBar</name>
    <message>
        <source>Line number or time: 12345, 12:04:10, 2026-01-31 12:04</source>
        <translation>Zeilennummer oder Zeit: 12345, 12:04:10, 2026-01-31 12:04</translation>
    </message>
    <message>
        <source>Go to line or time</source>
        <translation>Gehe zu Zeile oder Zeit</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>This is no line number and no time</source>
        <translation>Das ist weder Zeilennummer noch Zeit</translation>
    </message>
</context>
<context>
    <name>lockstep::LogHighlightersDialog</name>
    <message>
        <source>Words in colours</source>
        <translation>Wörter in Farben</translation>
    </message>
    <message>
        <source>Marked in every line, whatever is filtered. Case does not count.</source>
        <translation>In jeder Zeile hervorgehoben, was auch gefiltert ist. Groß- und Kleinschreibung zählt nicht.</translation>
    </message>
    <message>
        <source>Word %1</source>
        <translation>Wort %1</translation>
    </message>
    <message>
        <source>Expression</source>
        <translation>Ausdruck</translation>
    </message>
    <message>
        <source>Word %1 is a regular expression</source>
        <translation>Wort %1 ist ein regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Word %1: %2</source>
        <translation>Wort %1: %2</translation>
    </message>
</context>
<context>
    <name>lockstep::LogMatches</name>
    <message>
        <source>Matching lines</source>
        <translation>Treffer im Log</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>%1 matches so far (%2 % searched)</source>
        <translation>Bisher %1 Treffer (%2 % durchsucht)</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>Kein Treffer</translation>
    </message>
    <message>
        <source>%1 of %2 matches</source>
        <translation>%1 von %2 Treffern</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 Treffer</translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation>%1 Treffer</translation>
    </message>
</context>
<context>
    <name>lockstep::LogNavigation</name>
    <message>
        <source>None among the next %1 errors</source>
        <translation>Keiner unter den nächsten %1 Fehlern</translation>
    </message>
    <message>
        <source>No error of rank %1</source>
        <translation>Kein Fehler von Rang %1</translation>
    </message>
    <message>
        <source>No error of a node agent</source>
        <translation>Kein Fehler eines Knotenagenten</translation>
    </message>
    <message>
        <source>No error</source>
        <translation>Kein Fehler</translation>
    </message>
    <message>
        <source>No line is marked</source>
        <translation>Keine Zeile ist markiert</translation>
    </message>
</context>
<context>
    <name>lockstep::LogOverview</name>
    <message>
        <source>Overview of the log</source>
        <translation>Übersicht des Logs</translation>
    </message>
    <message>
        <source>The whole log: errors and warnings, matches, marks. Click to go there.</source>
        <translation>Das ganze Log: Fehler und Warnungen, Treffer, Markierungen. Ein Klick führt hin.</translation>
    </message>
    <message>
        <source>%1 errors, %2 warnings, %3 matches, %4 marks</source>
        <translation>%1 Fehler, %2 Warnungen, %3 Treffer, %4 Markierungen</translation>
    </message>
</context>
<context>
    <name>lockstep::LogRankMenu</name>
    <message>
        <source>Show only lines of some ranks and nodes</source>
        <translation>Nur Zeilen mancher Ränge und Knoten zeigen</translation>
    </message>
    <message>
        <source>All ranks and nodes</source>
        <translation>Alle Ränge und Knoten</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Node agents</source>
        <translation>Knotenagenten</translation>
    </message>
    <message>
        <source>Ranks, e.g. 0-3, 17</source>
        <translation>Ränge, z. B. 0-3, 17</translation>
    </message>
    <message>
        <source>Ranks to show, as a list</source>
        <translation>Zu zeigende Ränge, als Liste</translation>
    </message>
    <message>
        <source>Node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>Ranks %1</source>
        <translation>Ränge %1</translation>
    </message>
    <message>
        <source>%1 and node agents</source>
        <translation>%1 und Knotenagenten</translation>
    </message>
    <message>
        <source>Nodes %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>Alle Ränge</translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln Rang</numerusform>
            <numerusform>%Ln Ränge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln node(s)</source>
        <translation>
            <numerusform>%Ln Knoten</numerusform>
            <numerusform>%Ln Knoten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::LogSearchField</name>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>Groß-/Kleinschreibung beachten</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Lines with all of these words. &quot;exact phrase&quot;, -without, AND, OR, NOT, parentheses and /expressions/: nccl (timeout OR abort) -heartbeat. With .* all of it is a regular expression.</source>
        <translation>Zeilen mit allen diesen Wörtern. &quot;genaue Wortfolge&quot;, -ohne, AND, OR, NOT, Klammern und /Ausdrücke/: nccl (timeout OR abort) -heartbeat. Mit .* ist alles ein regulärer Ausdruck.</translation>
    </message>
</context>
<context>
    <name>lockstep::LogStatus</name>
    <message>
        <source>1 line</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>%1, filtering: %2 %</source>
        <translation>%1, Filter läuft: %2 %</translation>
    </message>
    <message>
        <source>%1, %2 hidden by filter</source>
        <translation>%1, %2 vom Filter verborgen</translation>
    </message>
    <message>
        <source>%1; the first %2 of these are too many to be shown: narrow the filter</source>
        <translation>%1; die ersten %2 davon sind zu viele, um gezeigt zu werden: Filter enger fassen</translation>
    </message>
    <message>
        <source>%1; %2 older lines are left out: more are not kept here</source>
        <translation>%1; %2 ältere Zeilen fehlen: mehr werden hier nicht aufbewahrt</translation>
    </message>
    <message>
        <source>%1; older ones are being read …</source>
        <translation>%1; ältere werden noch gelesen …</translation>
    </message>
    <message>
        <source>Loading the lines …</source>
        <translation>Die Zeilen werden geladen …</translation>
    </message>
    <message>
        <source>No lines yet: the first arrive when a node has started.</source>
        <translation>Noch keine Zeilen: die ersten kommen, wenn ein Knoten gestartet ist.</translation>
    </message>
    <message>
        <source>This run left no lines.</source>
        <translation>Dieser Lauf hat keine Zeilen hinterlassen.</translation>
    </message>
    <message>
        <source>The lines were not loaded.</source>
        <translation>Die Zeilen wurden nicht geladen.</translation>
    </message>
    <message>
        <source>The lines cannot be read now.</source>
        <translation>Die Zeilen lassen sich gerade nicht lesen.</translation>
    </message>
    <message>
        <source>Kept here; the service has the oldest lines until %1</source>
        <translation>Hier aufbewahrt; der Dienst hat die ältesten Zeilen bis %1</translation>
    </message>
    <message>
        <source>Kept here; the service deleted the oldest lines on %1</source>
        <translation>Hier aufbewahrt; der Dienst hat die ältesten Zeilen am %1 gelöscht</translation>
    </message>
    <message>
        <source>Filtering …</source>
        <translation>Filter läuft …</translation>
    </message>
    <message>
        <source>The filter hides all %1 lines.</source>
        <translation>Der Filter verbirgt alle %1 Zeilen.</translation>
    </message>
</context>
<context>
    <name>lockstep::LogTimeMenu</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Show only lines of a time</source>
        <translation>Nur Zeilen eines Zeitraums zeigen</translation>
    </message>
    <message>
        <source>All times</source>
        <translation>Alle Zeiten</translation>
    </message>
    <message>
        <source>Last minute</source>
        <translation>Letzte Minute</translation>
    </message>
    <message>
        <source>Last 10 minutes</source>
        <translation>Letzte 10 Minuten</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>Letzte Stunde</translation>
    </message>
    <message>
        <source>30 seconds around the chosen line</source>
        <translation>30 Sekunden um die gewählte Zeile</translation>
    </message>
    <message>
        <source>From the chosen line</source>
        <translation>Ab der gewählten Zeile</translation>
    </message>
    <message>
        <source>Until the chosen line</source>
        <translation>Bis zur gewählten Zeile</translation>
    </message>
</context>
<context>
    <name>TimeTexts</name>
    <message>
        <source>Rank %1 fell silent</source>
        <translation>Rang %1 verstummte</translation>
    </message>
    <message>
        <source>A collective did not end</source>
        <translation>Eine Kollektive endete nicht</translation>
    </message>
    <message>
        <source>Rank %1 kept others waiting</source>
        <translation>Rang %1 ließ andere warten</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neustart</translation>
    </message>
    <message>
        <source>Evaluation: %1 %</source>
        <translation>Auswertung: %1 %</translation>
    </message>
    <message>
        <source>%1, rank %2</source>
        <translation>%1, Rang %2</translation>
    </message>
    <message>
        <source>%1, ranks %2</source>
        <translation>%1, Ränge %2</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, Schritt %2</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Rank %1: %2 s ahead</source>
        <translation>Rang %1: %2 s voraus</translation>
    </message>
    <message>
        <source>Rank %1: %2 s behind</source>
        <translation>Rang %1: %2 s zurück</translation>
    </message>
    <message>
        <source>All in %1 s</source>
        <translation>Alles in %1 s</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
</context>
<context>
    <name>lockstep::TimeBar</name>
    <message>
        <source>How fast the run is played again</source>
        <translation>Wie schnell der Lauf noch einmal abgespielt wird</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>The time that is shown, and the furthest step of then</source>
        <translation>Die gezeigte Zeit und der weiteste Schritt von damals</translation>
    </message>
    <message>
        <source>Clocks differ</source>
        <translation>Uhren weichen ab</translation>
    </message>
    <message>
        <source>The log shows only this; click to show all of it again</source>
        <translation>Das Log zeigt nur dies; ein Klick zeigt wieder alles</translation>
    </message>
    <message>
        <source>The clocks of some nodes differ; what they recorded is moved by so much:</source>
        <translation>Die Uhren einiger Knoten weichen ab; was sie aufgezeichnet haben, ist um so viel verschoben:</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Show what comes as it comes (End)</source>
        <translation>Zeigen, was kommt, wenn es kommt (Ende)</translation>
    </message>
    <message>
        <source>Show the whole run, to its end (End)</source>
        <translation>Den ganzen Lauf zeigen, bis zum Ende (Ende)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Stop the time here (space bar)</source>
        <translation>Die Zeit hier anhalten (Leertaste)</translation>
    </message>
    <message>
        <source>Show the run again as it went, from here or from its beginning (space bar)</source>
        <translation>Den Lauf noch einmal zeigen, wie er verlief, von hier oder vom Anfang an (Leertaste)</translation>
    </message>
    <message>
        <source>%1 · step %2</source>
        <translation>%1 · Schritt %2</translation>
    </message>
    <message>
        <source>%1, live</source>
        <translation>%1, live</translation>
    </message>
    <message>
        <source>Show all again: %1</source>
        <translation>Wieder alles zeigen: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::TimeTrack</name>
    <message>
        <source>Time of the run</source>
        <translation>Zeit des Laufs</translation>
    </message>
</context>
<context>
    <name>FindingWords</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>Since: %1</source>
        <translation>Seit: %1</translation>
    </message>
    <message>
        <source>Measured: %1</source>
        <translation>Gemessen: %1</translation>
    </message>
    <message>
        <source>Not measured: %1</source>
        <translation>Nicht gemessen: %1</translation>
    </message>
    <message>
        <source>Likely: %1</source>
        <translation>Wahrscheinlich: %1</translation>
    </message>
    <message>
        <source>To do: %1</source>
        <translation>Zu tun: %1</translation>
    </message>
    <message>
        <source>How sure: %1</source>
        <translation>Wie sicher: %1</translation>
    </message>
</context>
<context>
    <name>FoundText</name>
    <message>
        <source>Nobody has looked for findings</source>
        <translation>Nach Befunden hat niemand gesehen</translation>
    </message>
    <message>
        <source>No findings</source>
        <translation>Keine Befunde</translation>
    </message>
    <message numerus="yes">
        <source>%Ln finding(s), the worst: %1</source>
        <translation>
            <numerusform>%Ln Befund, der schlimmste: %1</numerusform>
            <numerusform>%Ln Befunde, der schlimmste: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>As of when it was followed last</source>
        <translation>Stand, als ihm zuletzt gefolgt wurde</translation>
    </message>
</context>
<context>
    <name>StackWords</name>
    <message>
        <source>Process %1: %2</source>
        <translation>Prozess %1: %2</translation>
    </message>
    <message>
        <source>No stack: %1</source>
        <translation>Kein Stack: %1</translation>
    </message>
    <message>
        <source>Rank %1 on %2 (%3)</source>
        <translation>Rang %1 auf %2 (%3)</translation>
    </message>
    <message>
        <source>Asked. The nodes look every %1 seconds whether somebody asks.</source>
        <translation>Gefragt. Die Knoten sehen alle %1 Sekunden nach, ob jemand fragt.</translation>
    </message>
    <message>
        <source>No node has answered: the nodes may be gone, may not reach the work dir, run another agent than lockstep-node or an older one, or were told not to answer (LOCKSTEP_STACKS=0).</source>
        <translation>Kein Knoten hat geantwortet: Vielleicht sind die Knoten fort, erreichen das Arbeitsverzeichnis nicht, führen einen anderen Agenten als lockstep-node oder einen älteren aus, oder sollen nicht antworten (LOCKSTEP_STACKS=0).</translation>
    </message>
    <message>
        <source>%1 of %2 ranks have answered.</source>
        <translation>%1 von %2 Rängen haben geantwortet.</translation>
    </message>
</context>
<context>
    <name>lockstep::StackAnswerView</name>
    <message>
        <source>Where the ranks are in their code</source>
        <translation>Wo die Ränge in ihrem Code stehen</translation>
    </message>
    <message>
        <source>Copy the stacks</source>
        <translation>Stacks kopieren</translation>
    </message>
    <message>
        <source>Copy where the ranks are as text</source>
        <translation>Als Text kopieren, wo die Ränge stehen</translation>
    </message>
</context>
<context>
    <name>lockstep::FindingBar</name>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Muted findings: %1</source>
        <translation>Stumme Befunde: %1</translation>
    </message>
    <message>
        <source>Findings that are over: %1</source>
        <translation>Befunde, die vorbei sind: %1</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Show all findings</source>
        <translation>Alle Befunde zeigen</translation>
    </message>
    <message>
        <source>Of these nothing can be said, since nothing was measured: %1</source>
        <translation>Hierzu lässt sich nichts sagen, weil nichts gemessen wurde: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::RunFindingCard</name>
    <message>
        <source>Since</source>
        <translation>Seit</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>Nicht gemessen</translation>
    </message>
    <message>
        <source>Likely</source>
        <translation>Wahrscheinlich</translation>
    </message>
    <message>
        <source>To do</source>
        <translation>Zu tun</translation>
    </message>
    <message>
        <source>How sure</source>
        <translation>Wie sicher</translation>
    </message>
    <message>
        <source>Show that time</source>
        <translation>Diese Zeit zeigen</translation>
    </message>
    <message>
        <source>Choose that time in the charts and in the log</source>
        <translation>Diese Zeit in den Diagrammen und im Protokoll auswählen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the finding as text</source>
        <translation>Den Befund als Text kopieren</translation>
    </message>
    <message>
        <source>Tell of it again</source>
        <translation>Wieder melden</translation>
    </message>
    <message>
        <source>Mute for 8 hours</source>
        <translation>8 Stunden stumm</translation>
    </message>
    <message>
        <source>It is muted</source>
        <translation>Er ist stumm</translation>
    </message>
    <message>
        <source>Do not tell of this finding of this run for a while</source>
        <translation>Diesen Befund dieses Laufs eine Weile nicht melden</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Where is it?</source>
        <translation>Wo steht er?</translation>
    </message>
    <message>
        <source>Ask the nodes where in their code these ranks are (Python with py-spy, all else with gdb)</source>
        <translation>Die Knoten fragen, wo in ihrem Code diese Ränge stehen (Python mit py-spy, alles andere mit gdb)</translation>
    </message>
</context>
<context>
    <name>lockstep::FindingTexts</name>
    <message>
        <source>the clock of rank %1 is %2 off</source>
        <translation>die Uhr von Rang %1 geht um %2 falsch</translation>
    </message>
    <message>
        <source>the clocks of the ranks %1 are up to %2 off</source>
        <translation>die Uhren der Ränge %1 gehen um bis zu %2 falsch</translation>
    </message>
    <message>
        <source>the clock of its node is not set by a time server</source>
        <translation>die Uhr seines Knotens wird von keinem Zeitserver gestellt</translation>
    </message>
    <message>
        <source>start chronyd or systemd-timesyncd on the node; charts and logs here are put right already</source>
        <translation>starten Sie chronyd oder systemd-timesyncd auf dem Knoten; Diagramme und Protokolle sind hier schon berichtigt</translation>
    </message>
    <message>
        <source>beside rank %1, over the same steps</source>
        <translation>verglichen mit Rang %1, über dieselben Schritte</translation>
    </message>
    <message>
        <source>rank %1 failed first: %2</source>
        <translation>Rang %1 ist zuerst gescheitert: %2</translation>
    </message>
    <message>
        <source>%1 failed first: %2</source>
        <translation>%1 ist zuerst gescheitert: %2</translation>
    </message>
    <message>
        <source>the run failed: %1</source>
        <translation>der Lauf ist gescheitert: %1</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>rank %1 only followed, %2 later: %3</source>
        <translation>Rang %1 folgte nur, %2 später: %3</translation>
    </message>
    <message>
        <source>%1 more ranks followed</source>
        <translation>%1 weitere Ränge folgten</translation>
    </message>
    <message>
        <source>the node agent says: %1</source>
        <translation>der Knotenagent sagt: %1</translation>
    </message>
    <message>
        <source>the others ended because it did</source>
        <translation>die anderen endeten, weil er endete</translation>
    </message>
    <message>
        <source>every rank says that another one had ended before: the first one left no word</source>
        <translation>jeder Rang sagt, dass vorher ein anderer geendet hat: der erste hat nichts hinterlassen</translation>
    </message>
    <message>
        <source>a process that ends without a word was often killed for want of memory</source>
        <translation>ein Prozess, der wortlos endet, wurde oft aus Mangel an Speicher beendet</translation>
    </message>
    <message>
        <source>read its log around that time</source>
        <translation>lesen Sie sein Protokoll um diese Zeit</translation>
    </message>
    <message>
        <source>look at the memory of its node, and try smaller batches</source>
        <translation>sehen Sie nach dem Speicher seines Knotens, und versuchen Sie kleinere Stapel</translation>
    </message>
    <message>
        <source>what it printed: no lines of the ranks are known</source>
        <translation>was er ausgegeben hat: von den Rängen sind keine Zeilen bekannt</translation>
    </message>
    <message>
        <source>the driver reports Xid %1 of the GPU of rank %2</source>
        <translation>der Treiber meldet Xid %1 der GPU von Rang %2</translation>
    </message>
    <message>
        <source>the memory of the GPU of rank %1 has %2 uncorrected errors</source>
        <translation>der Speicher der GPU von Rang %1 hat %2 nicht berichtigte Fehler</translation>
    </message>
    <message>
        <source>the GPU or its link is failing</source>
        <translation>die GPU oder ihre Verbindung ist defekt</translation>
    </message>
    <message>
        <source>a kernel of the program did what it may not, or the GPU is failing</source>
        <translation>ein Kernel des Programms tat, was er nicht darf, oder die GPU ist defekt</translation>
    </message>
    <message>
        <source>do not trust its results: exchange the node, and go on from a checkpoint</source>
        <translation>trauen Sie ihren Ergebnissen nicht: tauschen Sie den Knoten, und machen Sie von einem Checkpoint aus weiter</translation>
    </message>
    <message>
        <source>run it with CUDA_LAUNCH_BLOCKING=1 once; where it happens on one GPU only, exchange the node</source>
        <translation>starten Sie es einmal mit CUDA_LAUNCH_BLOCKING=1; geschieht es nur auf einer GPU, tauschen Sie den Knoten</translation>
    </message>
    <message>
        <source>%1: %2 when the samples began</source>
        <translation>%1: %2, als die Messungen begannen</translation>
    </message>
    <message>
        <source>the clock of the GPU of rank %1 is %2 MHz, that of the others %3 (median)</source>
        <translation>der Takt der GPU von Rang %1 ist %2 MHz, der der anderen %3 (Median)</translation>
    </message>
    <message>
        <source>it is hot, and slows down</source>
        <translation>sie ist heiß und drosselt sich</translation>
    </message>
    <message>
        <source>its power is limited, or its hardware slows it down</source>
        <translation>ihre Leistung ist begrenzt, oder ihre Hardware drosselt sie</translation>
    </message>
    <message>
        <source>look at the cooling of its node, or exchange it</source>
        <translation>sehen Sie nach der Kühlung ihres Knotens, oder tauschen Sie ihn</translation>
    </message>
    <message>
        <source>nvidia-smi -q -d PERFORMANCE on its node says why</source>
        <translation>nvidia-smi -q -d PERFORMANCE auf ihrem Knoten sagt, warum</translation>
    </message>
    <message>
        <source>its temperature is %1 °C</source>
        <translation>ihre Temperatur ist %1 °C</translation>
    </message>
    <message>
        <source>its temperature was not measured</source>
        <translation>ihre Temperatur wurde nicht gemessen</translation>
    </message>
    <message>
        <source>it is busy for %1 of the time</source>
        <translation>sie ist %1 der Zeit beschäftigt</translation>
    </message>
    <message>
        <source>the GPU of rank %1 is busy for %2 of the time, those of the others for %3</source>
        <translation>die GPU von Rang %1 ist %2 der Zeit beschäftigt, die der anderen %3</translation>
    </message>
    <message>
        <source>the GPUs are busy for %1 of the time only</source>
        <translation>die GPUs sind nur %1 der Zeit beschäftigt</translation>
    </message>
    <message>
        <source>it computes less than the others, or on the processor</source>
        <translation>er rechnet weniger als die anderen, oder auf dem Prozessor</translation>
    </message>
    <message>
        <source>batches are too small for the GPUs, or they wait for something else</source>
        <translation>die Stapel sind zu klein für die GPUs, oder sie warten auf etwas anderes</translation>
    </message>
    <message>
        <source>look whether its process uses that GPU (CUDA_VISIBLE_DEVICES)</source>
        <translation>sehen Sie nach, ob sein Prozess diese GPU benutzt (CUDA_VISIBLE_DEVICES)</translation>
    </message>
    <message>
        <source>try larger batches, and look at the other phases of the steps</source>
        <translation>versuchen Sie größere Stapel, und sehen Sie nach den anderen Phasen der Schritte</translation>
    </message>
    <message>
        <source>%1 takes %2 of a step</source>
        <translation>%1 braucht %2 eines Schritts</translation>
    </message>
    <message>
        <source>the phases of steps were not measured</source>
        <translation>die Phasen der Schritte wurden nicht gemessen</translation>
    </message>
    <message>
        <source>the loss has risen to %1, after %2 before (medians over the ranks)</source>
        <translation>der Verlust ist auf %1 gestiegen, nach %2 vorher (Mediane über die Ränge)</translation>
    </message>
    <message>
        <source>a learning rate that is too large, or data that differ from before</source>
        <translation>eine zu große Lernrate, oder andere Daten als vorher</translation>
    </message>
    <message>
        <source>look at the gradient norm and the learning rate; go on from an earlier checkpoint where it does not come back</source>
        <translation>sehen Sie nach Gradientennorm und Lernrate; machen Sie von einem früheren Checkpoint aus weiter, wenn er nicht zurückkommt</translation>
    </message>
    <message>
        <source>%1 is %2 (median over the ranks)</source>
        <translation>%1 ist %2 (Median über die Ränge)</translation>
    </message>
    <message>
        <source>the gradient norm was not measured</source>
        <translation>die Gradientennorm wurde nicht gemessen</translation>
    </message>
    <message>
        <source>the loss jumped to %1 at step %2, from about %3</source>
        <translation>der Verlust ist bei Schritt %2 auf %1 gesprungen, von etwa %3</translation>
    </message>
    <message>
        <source>the loss of rank %1 jumped to %2 at step %3, from about %4</source>
        <translation>der Verlust von Rang %1 ist bei Schritt %3 auf %2 gesprungen, von etwa %4</translation>
    </message>
    <message>
        <source>a batch of unusual samples, or a step of the optimizer that was too large</source>
        <translation>ein Stapel ungewöhnlicher Beispiele, oder ein zu großer Schritt des Optimierers</translation>
    </message>
    <message>
        <source>look at the samples of that step; if it comes again, clip the gradient norm or lower the learning rate</source>
        <translation>sehen Sie sich die Beispiele dieses Schritts an; wenn es wiederkommt, begrenzen Sie die Gradientennorm oder senken Sie die Lernrate</translation>
    </message>
    <message>
        <source>%1 was %2 at most, usually %3</source>
        <translation>%1 war höchstens %2, sonst %3</translation>
    </message>
    <message>
        <source>the loss has not become smaller for %1, over %2 steps</source>
        <translation>der Verlust ist seit %1 nicht kleiner geworden, über %2 Schritte</translation>
    </message>
    <message>
        <source>the training has learned what it can with this learning rate, or has got stuck</source>
        <translation>das Training hat gelernt, was es mit dieser Lernrate kann, oder ist steckengeblieben</translation>
    </message>
    <message>
        <source>look at an evaluation, and lower the learning rate or stop</source>
        <translation>sehen Sie sich eine Auswertung an, und senken Sie die Lernrate oder hören Sie auf</translation>
    </message>
    <message>
        <source>median of the loss: %1 in the last third, %2 in the one before</source>
        <translation>Median des Verlusts: %1 im letzten Drittel, %2 in dem davor</translation>
    </message>
    <message>
        <source>%1 of rank %2 is no number since step %3</source>
        <translation>%1 von Rang %2 ist seit Schritt %3 keine Zahl</translation>
    </message>
    <message>
        <source>%1 of the ranks %2 is no number since step %3</source>
        <translation>%1 der Ränge %2 ist seit Schritt %3 keine Zahl</translation>
    </message>
    <message>
        <source>a learning rate that is too large, a number too large for 16 bits, or damaged data</source>
        <translation>eine zu große Lernrate, eine Zahl, die für 16 Bit zu groß ist, oder beschädigte Daten</translation>
    </message>
    <message>
        <source>go on from the last good checkpoint with a smaller learning rate, clip the gradients, and look at the data of that step</source>
        <translation>machen Sie vom letzten guten Checkpoint aus mit kleinerer Lernrate weiter, begrenzen Sie die Gradienten, und sehen Sie nach den Daten dieses Schritts</translation>
    </message>
    <message>
        <source>%1 was %2</source>
        <translation>%1 war %2</translation>
    </message>
    <message>
        <source>%1 was %2 before (median over the ranks)</source>
        <translation>%1 war vorher %2 (Median über die Ränge)</translation>
    </message>
    <message>
        <source>the memory of the node of rank %1 runs out in about %2</source>
        <translation>der Speicher des Knotens von Rang %1 ist in etwa %2 zu Ende</translation>
    </message>
    <message>
        <source>the memory of the nodes runs out in about %1</source>
        <translation>der Speicher der Knoten ist in etwa %1 zu Ende</translation>
    </message>
    <message>
        <source>the memory of rank %1 grows steadily, by %2 a minute</source>
        <translation>der Speicher von Rang %1 wächst stetig, um %2 in der Minute</translation>
    </message>
    <message>
        <source>the memory of all ranks grows steadily, by %1 a minute</source>
        <translation>der Speicher aller Ränge wächst stetig, um %1 in der Minute</translation>
    </message>
    <message>
        <source>the disk of the node of rank %1 is full in about %2</source>
        <translation>die Platte des Knotens von Rang %1 ist in etwa %2 voll</translation>
    </message>
    <message>
        <source>the disk of the node of rank %1 is %2 full</source>
        <translation>die Platte des Knotens von Rang %1 ist zu %2 voll</translation>
    </message>
    <message>
        <source>something is kept in every step: a list that only grows, a graph that is not let go, or a loader&apos;s cache</source>
        <translation>in jedem Schritt wird etwas behalten: eine Liste, die nur wächst, ein Graph, der nicht losgelassen wird, oder der Cache eines Laders</translation>
    </message>
    <message>
        <source>look what the script collects over the steps (losses with their graph, outputs), and save a checkpoint before it ends</source>
        <translation>sehen Sie nach, was das Skript über die Schritte sammelt (Verluste mit ihrem Graphen, Ausgaben), und sichern Sie vorher einen Checkpoint</translation>
    </message>
    <message>
        <source>checkpoints, caches or outputs fill it</source>
        <translation>Checkpoints, Caches oder Ausgaben füllen sie</translation>
    </message>
    <message>
        <source>keep fewer checkpoints, write to a bucket, or clear what is not needed</source>
        <translation>behalten Sie weniger Checkpoints, schreiben Sie in einen Bucket, oder räumen Sie auf, was nicht gebraucht wird</translation>
    </message>
    <message>
        <source>%1: %2 now, %3 more a minute, for %4</source>
        <translation>%1: jetzt %2, %3 mehr in der Minute, seit %4</translation>
    </message>
    <message>
        <source>resident memory of rank %1 grows by %2 a minute</source>
        <translation>der residente Speicher von Rang %1 wächst um %2 in der Minute</translation>
    </message>
    <message>
        <source>which rank it is: the memory of the ranks was not measured</source>
        <translation>welcher Rang es ist: der Speicher der Ränge wurde nicht gemessen</translation>
    </message>
    <message>
        <source>when it ends: how much memory the node has left was not measured</source>
        <translation>wann er zu Ende ist: wie viel Speicher der Knoten noch hat, wurde nicht gemessen</translation>
    </message>
    <message>
        <source>%1=%2 is set</source>
        <translation>%1=%2 ist gesetzt</translation>
    </message>
    <message>
        <source>%1 is set, which nothing reads</source>
        <translation>%1 ist gesetzt, was niemand liest</translation>
    </message>
    <message>
        <source>nodes cannot reach each other by that interface</source>
        <translation>über diese Schnittstelle erreichen die Knoten einander nicht</translation>
    </message>
    <message>
        <source>leave it out, or name the interface that has the node&apos;s address in the subnet</source>
        <translation>lassen Sie es weg, oder nennen Sie die Schnittstelle mit der Adresse des Knotens im Subnetz</translation>
    </message>
    <message>
        <source>each node then takes itself for the main node</source>
        <translation>dann hält jeder Knoten sich selbst für den Hauptknoten</translation>
    </message>
    <message>
        <source>leave it out: the node agent sets it</source>
        <translation>lassen Sie es weg: der Knotenagent setzt es</translation>
    </message>
    <message>
        <source>every kernel or collective is then waited for or checked: good for a hunt, slow for a training</source>
        <translation>dann wird auf jeden Kernel oder jede kollektive Operation gewartet oder sie wird geprüft: gut für eine Fehlersuche, langsam für ein Training</translation>
    </message>
    <message>
        <source>take it out once the hunt is over</source>
        <translation>nehmen Sie es heraus, wenn die Suche vorbei ist</translation>
    </message>
    <message>
        <source>the fast way between GPUs is switched off</source>
        <translation>der schnelle Weg zwischen GPUs ist abgeschaltet</translation>
    </message>
    <message>
        <source>take it out unless it works around a known fault</source>
        <translation>nehmen Sie es heraus, wenn es keinen bekannten Fehler umgeht</translation>
    </message>
    <message>
        <source>it looks like a misspelling of %1</source>
        <translation>es sieht aus wie %1, falsch geschrieben</translation>
    </message>
    <message>
        <source>write %1 instead</source>
        <translation>schreiben Sie stattdessen %1</translation>
    </message>
    <message>
        <source>every rank starts so many threads, and ranks of a node share its cores</source>
        <translation>jeder Rang startet so viele Threads, und die Ränge eines Knotens teilen sich seine Kerne</translation>
    </message>
    <message>
        <source>set it to the cores of a node divided by its ranks</source>
        <translation>setzen Sie es auf die Kerne eines Knotens, geteilt durch seine Ränge</translation>
    </message>
    <message>
        <source>it stands in the environment of train.yaml</source>
        <translation>es steht in der Umgebung von train.yaml</translation>
    </message>
    <message>
        <source>nothing has come from rank %1 for %2, while others go on</source>
        <translation>von Rang %1 ist seit %2 nichts gekommen, während andere weitermachen</translation>
    </message>
    <message>
        <source>its process has ended or is stopped, or its node is lost</source>
        <translation>sein Prozess hat geendet oder ist angehalten, oder sein Knoten ist verloren</translation>
    </message>
    <message>
        <source>it goes on, as its heartbeat says, but its samples do not reach the work dir</source>
        <translation>er macht weiter, wie sein Herzschlag sagt, aber seine Messwerte erreichen das Arbeitsverzeichnis nicht</translation>
    </message>
    <message>
        <source>look at its log and at its node</source>
        <translation>sehen Sie nach seinem Protokoll und seinem Knoten</translation>
    </message>
    <message>
        <source>look at the network of its node, and at the permissions of the work dir</source>
        <translation>sehen Sie nach dem Netz seines Knotens und den Rechten am Arbeitsverzeichnis</translation>
    </message>
    <message>
        <source>its last sample is of step %1</source>
        <translation>sein letzter Messwert ist von Schritt %1</translation>
    </message>
    <message>
        <source>its heartbeat says: step %1</source>
        <translation>sein Herzschlag sagt: Schritt %1</translation>
    </message>
    <message>
        <source>whether its process lives: it publishes no heartbeat</source>
        <translation>ob sein Prozess lebt: er veröffentlicht keinen Herzschlag</translation>
    </message>
    <message>
        <source>collectives transfer more slowly than before: %1 of a step, once %2</source>
        <translation>kollektive Operationen übertragen langsamer als vorher: %1 eines Schritts, früher %2</translation>
    </message>
    <message>
        <source>rank %1 transfers more slowly than the others: %2, they %3</source>
        <translation>Rang %1 überträgt langsamer als die anderen: %2, sie %3</translation>
    </message>
    <message>
        <source>a link between the nodes is slow, lossy or shared</source>
        <translation>eine Verbindung zwischen den Knoten ist langsam, verlustreich oder geteilt</translation>
    </message>
    <message>
        <source>look at the network of the nodes, at the interface that the ranks use (NCCL_SOCKET_IFNAME), and at what else sends there</source>
        <translation>sehen Sie nach dem Netz der Knoten, der Schnittstelle, die die Ränge benutzen (NCCL_SOCKET_IFNAME), und was dort sonst noch sendet</translation>
    </message>
    <message>
        <source>%1: %2 now, %3 before (medians)</source>
        <translation>%1: jetzt %2, vorher %3 (Mediane)</translation>
    </message>
    <message>
        <source>that is %1 a second of what is summed</source>
        <translation>das sind %1 in der Sekunde von dem, was summiert wird</translation>
    </message>
    <message>
        <source>when the run began, %1 needed %2 to reach %3, the others %4 (median)</source>
        <translation>als der Lauf begann, brauchte %1 %2 bis zu %3, die anderen %4 (Median)</translation>
    </message>
    <message>
        <source>which link it is: all ranks take as long as the slowest one</source>
        <translation>welche Verbindung es ist: alle Ränge brauchen so lange wie der langsamste</translation>
    </message>
    <message>
        <source>rank %1 keeps %2 others waiting in collective %3, for %4</source>
        <translation>Rang %1 lässt %2 andere in der kollektiven Operation %3 warten, seit %4</translation>
    </message>
    <message>
        <source>all %1 ranks have been in collective %2 for %3, and none is behind</source>
        <translation>alle %1 Ränge sind seit %3 in der kollektiven Operation %2, und keiner ist zurück</translation>
    </message>
    <message>
        <source>no heartbeat has come for %1: rank %2 writes it</source>
        <translation>seit %1 ist kein Herzschlag gekommen: Rang %2 schreibt ihn</translation>
    </message>
    <message>
        <source>rank %1 is in this phase: %2, at step %3</source>
        <translation>Rang %1 ist in dieser Phase: %2, bei Schritt %3</translation>
    </message>
    <message>
        <source>its process: host %1, pid %2</source>
        <translation>sein Prozess: Rechner %1, Nummer %2</translation>
    </message>
    <message>
        <source>no rank has finished a step for %1; a step takes %2</source>
        <translation>seit %1 hat kein Rang einen Schritt beendet; ein Schritt dauert %2</translation>
    </message>
    <message>
        <source>rank %1 is at step %2, the others are further</source>
        <translation>Rang %1 ist bei Schritt %2, die anderen sind weiter</translation>
    </message>
    <message>
        <source>%1: rank %2 %3, the others %4 (median)</source>
        <translation>%1: Rang %2 %3, die anderen %4 (Median)</translation>
    </message>
    <message>
        <source>it does something else than the others, which wait for it: its process is stopped, or busy elsewhere</source>
        <translation>er tut etwas anderes als die anderen, die auf ihn warten: sein Prozess ist angehalten oder anderswo beschäftigt</translation>
    </message>
    <message>
        <source>a collective that does not end, or a long pause of the training</source>
        <translation>eine kollektive Operation, die nicht endet, oder eine lange Pause des Trainings</translation>
    </message>
    <message>
        <source>ask it where it is: lockstep stacks with --rank, which uses py-spy or gdb where the image has them</source>
        <translation>fragen Sie ihn, wo er ist: lockstep stacks mit --rank, das py-spy oder gdb benutzt, wenn das Image sie hat</translation>
    </message>
    <message>
        <source>look at the logs of the ranks, and at the stacks of their processes</source>
        <translation>sehen Sie nach den Protokollen der Ränge und den Stapeln ihrer Prozesse</translation>
    </message>
    <message>
        <source>who waits for whom: the ranks publish no heartbeat</source>
        <translation>wer auf wen wartet: die Ränge veröffentlichen keinen Herzschlag</translation>
    </message>
    <message>
        <source>%1 was not measured</source>
        <translation>%1 wurde nicht gemessen</translation>
    </message>
    <message>
        <source>the ranks wait for data for %1 of their time</source>
        <translation>die Ränge warten %1 ihrer Zeit auf Daten</translation>
    </message>
    <message>
        <source>batches are not read and prepared as fast as they are trained on</source>
        <translation>Stapel werden nicht so schnell gelesen und vorbereitet, wie auf ihnen trainiert wird</translation>
    </message>
    <message>
        <source>give the loader more processes, keep the data on a disk of the node, or prepare them before the training</source>
        <translation>geben Sie dem Lader mehr Prozesse, halten Sie die Daten auf einer Platte des Knotens, oder bereiten Sie sie vor dem Training vor</translation>
    </message>
    <message>
        <source>waiting for data: %1 of a step of %2 (medians over the ranks)</source>
        <translation>Warten auf Daten: %1 eines Schritts von %2 (Mediane über die Ränge)</translation>
    </message>
    <message>
        <source>%1 of %2 ranks wait so</source>
        <translation>%1 von %2 Rängen warten so</translation>
    </message>
    <message>
        <source>the processors of the nodes are busy for %1: the loader wants more cores</source>
        <translation>die Prozessoren der Knoten sind zu %1 beschäftigt: dem Lader fehlen Kerne</translation>
    </message>
    <message>
        <source>the processors of the nodes are busy for %1 only: it is the disk or the network</source>
        <translation>die Prozessoren der Knoten sind nur zu %1 beschäftigt: es ist die Platte oder das Netz</translation>
    </message>
    <message>
        <source>how busy the nodes are was not measured</source>
        <translation>wie beschäftigt die Knoten sind, wurde nicht gemessen</translation>
    </message>
    <message>
        <source>rank %1 is slow: %2 takes it %3 longer than the others, and all wait for it in every step</source>
        <translation>Rang %1 ist langsam: %2 dauert bei ihm %3 länger als bei den anderen, und alle warten in jedem Schritt auf ihn</translation>
    </message>
    <message>
        <source>its data come slowly</source>
        <translation>seine Daten kommen langsam</translation>
    </message>
    <message>
        <source>its batches are larger, or its bus is slow or shared</source>
        <translation>seine Stapel sind größer, oder sein Bus ist langsam oder geteilt</translation>
    </message>
    <message>
        <source>it computes more slowly than the others: its GPU or its cores are slower, hot, or used by others</source>
        <translation>er rechnet langsamer als die anderen: seine GPU oder seine Kerne sind langsamer, heiß oder von anderen benutzt</translation>
    </message>
    <message>
        <source>its optimizer is slower than that of the others</source>
        <translation>sein Optimierer ist langsamer als der der anderen</translation>
    </message>
    <message>
        <source>it does something between the phases of its steps</source>
        <translation>er tut etwas zwischen den Phasen seiner Schritte</translation>
    </message>
    <message>
        <source>look at the disk or bucket that it reads from, and give it more loader processes</source>
        <translation>sehen Sie nach der Platte oder dem Bucket, aus dem er liest, und geben Sie ihm mehr Laderprozesse</translation>
    </message>
    <message>
        <source>look at its GPU and at what else runs on its host, or exchange the node</source>
        <translation>sehen Sie nach seiner GPU und was sonst auf seinem Rechner läuft, oder tauschen Sie den Knoten</translation>
    </message>
    <message>
        <source>look for what only this rank does: logging, saving, collecting garbage</source>
        <translation>suchen Sie, was nur dieser Rang tut: Protokollieren, Sichern, Speicherbereinigung</translation>
    </message>
    <message>
        <source>that is %1 of a step of %2</source>
        <translation>das sind %1 eines Schritts von %2</translation>
    </message>
    <message>
        <source>waiting for peers was not measured</source>
        <translation>das Warten auf andere wurde nicht gemessen</translation>
    </message>
    <message>
        <source>steps take %1 now, and took %2 before</source>
        <translation>Schritte dauern jetzt %1 und dauerten vorher %2</translation>
    </message>
    <message>
        <source>all ranks have become slower together</source>
        <translation>alle Ränge sind zusammen langsamer geworden</translation>
    </message>
    <message>
        <source>look what began then: other work on the nodes, longer samples, throttled GPUs, or a slower place to read from</source>
        <translation>sehen Sie nach, was da begann: andere Arbeit auf den Knoten, längere Beispiele, gedrosselte GPUs oder ein langsamerer Ort zum Lesen</translation>
    </message>
    <message>
        <source>most of a step is %1: %2</source>
        <translation>das meiste eines Schritts ist %1: %2</translation>
    </message>
    <message>
        <source>rank %1 has %2 more data in each step than the others, and they wait for it</source>
        <translation>Rang %1 hat in jedem Schritt %2 mehr Daten als die anderen, und sie warten auf ihn</translation>
    </message>
    <message>
        <source>its batches are larger or its samples longer: the data are not shared out evenly</source>
        <translation>seine Stapel sind größer oder seine Beispiele länger: die Daten sind nicht gleichmäßig verteilt</translation>
    </message>
    <message>
        <source>shard the data by their length, or put samples of like length into a batch</source>
        <translation>teilen Sie die Daten nach ihrer Länge auf, oder legen Sie Beispiele ähnlicher Länge in einen Stapel</translation>
    </message>
    <message>
        <source>%1 in a step: rank %2 %3, the others %4 (median)</source>
        <translation>%1 in einem Schritt: Rang %2 %3, die anderen %4 (Median)</translation>
    </message>
    <message>
        <source>First failure</source>
        <translation>Erster Ausfall</translation>
    </message>
    <message>
        <source>the lines of the ranks</source>
        <translation>die Zeilen der Ränge</translation>
    </message>
    <message>
        <source>Stall</source>
        <translation>Stillstand</translation>
    </message>
    <message>
        <source>the steps or the heartbeat of the ranks</source>
        <translation>die Schritte oder der Herzschlag der Ränge</translation>
    </message>
    <message>
        <source>Silent rank</source>
        <translation>Stummer Rang</translation>
    </message>
    <message>
        <source>samples of several ranks</source>
        <translation>Messwerte mehrerer Ränge</translation>
    </message>
    <message>
        <source>Not a number</source>
        <translation>Keine Zahl</translation>
    </message>
    <message>
        <source>the loss or the gradient norm</source>
        <translation>der Verlust oder die Gradientennorm</translation>
    </message>
    <message>
        <source>GPU error</source>
        <translation>GPU-Fehler</translation>
    </message>
    <message>
        <source>memory errors and Xids of the GPUs</source>
        <translation>Speicherfehler und Xids der GPUs</translation>
    </message>
    <message>
        <source>Slow rank</source>
        <translation>Langsamer Rang</translation>
    </message>
    <message>
        <source>the phases of steps, of several ranks</source>
        <translation>die Phasen der Schritte, von mehreren Rängen</translation>
    </message>
    <message>
        <source>Unbalanced data</source>
        <translation>Ungleich verteilte Daten</translation>
    </message>
    <message>
        <source>steps, and samples or tokens per second, of several ranks</source>
        <translation>Schritte und Beispiele oder Token je Sekunde, von mehreren Rängen</translation>
    </message>
    <message>
        <source>Starved loader</source>
        <translation>Zu langsamer Lader</translation>
    </message>
    <message>
        <source>how long steps wait for data</source>
        <translation>wie lange Schritte auf Daten warten</translation>
    </message>
    <message>
        <source>Slow network</source>
        <translation>Langsames Netz</translation>
    </message>
    <message>
        <source>how long collectives transfer</source>
        <translation>wie lange kollektive Operationen übertragen</translation>
    </message>
    <message>
        <source>Memory runs out</source>
        <translation>Speicher geht zu Ende</translation>
    </message>
    <message>
        <source>the memory of the nodes or of the ranks</source>
        <translation>der Speicher der Knoten oder der Ränge</translation>
    </message>
    <message>
        <source>Disk runs full</source>
        <translation>Platte läuft voll</translation>
    </message>
    <message>
        <source>the disks of the nodes</source>
        <translation>die Platten der Knoten</translation>
    </message>
    <message>
        <source>Throttled GPU</source>
        <translation>Gedrosselte GPU</translation>
    </message>
    <message>
        <source>clocks and utilization of several GPUs</source>
        <translation>Takt und Auslastung mehrerer GPUs</translation>
    </message>
    <message>
        <source>Idle GPU</source>
        <translation>Untätige GPU</translation>
    </message>
    <message>
        <source>the utilization of the GPUs</source>
        <translation>die Auslastung der GPUs</translation>
    </message>
    <message>
        <source>Throughput drop</source>
        <translation>Einbruch des Durchsatzes</translation>
    </message>
    <message>
        <source>the time of steps</source>
        <translation>die Dauer der Schritte</translation>
    </message>
    <message>
        <source>Loss jumps</source>
        <translation>Verlust springt</translation>
    </message>
    <message>
        <source>Loss rises</source>
        <translation>Verlust steigt</translation>
    </message>
    <message>
        <source>the loss</source>
        <translation>der Verlust</translation>
    </message>
    <message>
        <source>Plateau</source>
        <translation>Plateau</translation>
    </message>
    <message>
        <source>Clocks differ</source>
        <translation>Uhren gehen verschieden</translation>
    </message>
    <message>
        <source>steps of several ranks</source>
        <translation>Schritte mehrerer Ränge</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>the environment in train.yaml</source>
        <translation>die Umgebung in train.yaml</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Critical</source>
        <translation>Kritisch</translation>
    </message>
    <message>
        <source>high</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>mittel</translation>
    </message>
    <message>
        <source>low</source>
        <translation>gering</translation>
    </message>
</context>
</TS>
