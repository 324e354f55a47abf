<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
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
    <name>lockstep</name>
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
</context>
<context>
    <name>lockstep::ClusterForm</name>
    <message>
        <source>Cluster form</source>
        <translation>Formular des Clusters</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
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
        <source>&amp;Go there</source>
        <translation>&amp;Dorthin</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>The job is created under this name.</source>
        <translation>Unter diesem Namen wird der Job angelegt.</translation>
    </message>
    <message>
        <source>Fra&amp;mework</source>
        <translation>Fra&amp;mework</translation>
    </message>
    <message>
        <source>What runs the ranks. This version launches PyTorch.</source>
        <translation>Was die Ränge ausführt. Diese Version startet PyTorch.</translation>
    </message>
    <message>
        <source>Container &amp;image</source>
        <translation>Container-&amp;Image</translation>
    </message>
    <message>
        <source>Every node runs this image.</source>
        <translation>Jeder Knoten führt dieses Image aus.</translation>
    </message>
    <message>
        <source>&amp;Work directory</source>
        <translation>Arbeits&amp;verzeichnis</translation>
    </message>
    <message>
        <source>Folder in object storage where the nodes meet and leave their records.</source>
        <translation>Ordner im Object Storage, in dem sich die Knoten treffen und ihre Aufzeichnungen ablegen.</translation>
    </message>
    <message>
        <source>Main no&amp;de name</source>
        <translation>Name &amp;des Hauptknotens</translation>
    </message>
    <message>
        <source>The main node is where rank 0 runs.</source>
        <translation>Auf dem Hauptknoten läuft Rang 0.</translation>
    </message>
    <message>
        <source>Wor&amp;ker name</source>
        <translation>Name der Wor&amp;ker</translation>
    </message>
    <message>
        <source>Worke&amp;rs</source>
        <translation>Worke&amp;r</translation>
    </message>
    <message>
        <source>Worker nodes besides the main node: the cluster has one node more.</source>
        <translation>Worker-Knoten neben dem Hauptknoten: der Cluster hat einen Knoten mehr.</translation>
    </message>
    <message>
        <source>Machine of each node</source>
        <translation>Maschine jedes Knotens</translation>
    </message>
    <message>
        <source>S&amp;hape</source>
        <translation>S&amp;hape</translation>
    </message>
    <message>
        <source>The compute shape of every node.</source>
        <translation>Der Compute-Shape jedes Knotens.</translation>
    </message>
    <message>
        <source>Block stora&amp;ge (GB)</source>
        <translation>Block-Speicher (&amp;GB)</translation>
    </message>
    <message>
        <source>OC&amp;PUs</source>
        <translation>OC&amp;PUs</translation>
    </message>
    <message>
        <source>flexible shapes</source>
        <translation>flexible Shapes</translation>
    </message>
    <message>
        <source>Memor&amp;y (GB)</source>
        <translation>Sp&amp;eicher (GB)</translation>
    </message>
    <message>
        <source>Where it runs</source>
        <translation>Wo er läuft</translation>
    </message>
    <message>
        <source>&amp;Compartment</source>
        <translation>&amp;Compartment</translation>
    </message>
    <message>
        <source>Pro&amp;ject</source>
        <translation>Pro&amp;jekt</translation>
    </message>
    <message>
        <source>S&amp;ubnet</source>
        <translation>S&amp;ubnetz</translation>
    </message>
    <message>
        <source>&amp;Log group</source>
        <translation>&amp;Log-Gruppe</translation>
    </message>
    <message>
        <source>L&amp;og</source>
        <translation>L&amp;og</translation>
    </message>
    <message>
        <source>Training code</source>
        <translation>Trainingscode</translation>
    </message>
    <message>
        <source>&amp;Entry point</source>
        <translation>Eins&amp;tiegspunkt</translation>
    </message>
    <message>
        <source>The program that every rank runs.</source>
        <translation>Das Programm, das jeder Rang ausführt.</translation>
    </message>
    <message>
        <source>Code &amp;from</source>
        <translation>Code &amp;aus</translation>
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
        <source>Argumen&amp;ts</source>
        <translation>Argumente (&amp;X)</translation>
    </message>
    <message>
        <source>Passed to the entry point of every rank.</source>
        <translation>Geht an den Einstiegspunkt jedes Rangs.</translation>
    </message>
    <message>
        <source>Code UR&amp;I</source>
        <translation>Code-UR&amp;I</translation>
    </message>
    <message>
        <source>Used when the code is not in the image.</source>
        <translation>Gebraucht, wenn der Code nicht im Image ist.</translation>
    </message>
    <message>
        <source>&amp;Branch</source>
        <translation>&amp;Branch</translation>
    </message>
    <message>
        <source>Empty: the value is “%1”</source>
        <translation>Leer: der Wert ist „%1“</translation>
    </message>
    <message>
        <source>YAML reads this as “%1”</source>
        <translation>YAML liest dies als „%1“</translation>
    </message>
</context>
<context>
    <name>lockstep::Dashboard</name>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>CPU utilization, % of one core</source>
        <translation>CPU-Auslastung, % eines Kerns</translation>
    </message>
    <message>
        <source>GPU utilization, %</source>
        <translation>GPU-Auslastung, %</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Samples pro Sekunde</translation>
    </message>
    <message>
        <source>No smoothing</source>
        <translation>Keine Glättung</translation>
    </message>
    <message>
        <source>Light smoothing</source>
        <translation>Leichte Glättung</translation>
    </message>
    <message>
        <source>Medium smoothing</source>
        <translation>Mittlere Glättung</translation>
    </message>
    <message>
        <source>Strong smoothing</source>
        <translation>Starke Glättung</translation>
    </message>
    <message>
        <source>Moving average of the loss; the measured curve stays behind it</source>
        <translation>Gleitender Mittelwert des Loss; die gemessene Kurve bleibt dahinter stehen</translation>
    </message>
    <message>
        <source>Log scale</source>
        <translation>Log-Skala</translation>
    </message>
    <message>
        <source>Logarithmic loss axis</source>
        <translation>Logarithmische Loss-Achse</translation>
    </message>
    <message>
        <source>All steps</source>
        <translation>Alle Schritte</translation>
    </message>
    <message>
        <source>Show all steps in every plot (double click on a plot)</source>
        <translation>Alle Schritte in jeder Kurve zeigen (Doppelklick auf eine Kurve)</translation>
    </message>
    <message>
        <source>How old the newest data are: writing, storing and fetching them takes time</source>
        <translation>Wie alt die neuesten Daten sind: Schreiben, Ablegen und Holen brauchen Zeit</translation>
    </message>
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
        <source>Data lag %1</source>
        <translation>Datenverzug %1</translation>
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
</context>
<context>
    <name>lockstep::DesignerPage</name>
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
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Progress of the launch</source>
        <translation>Fortschritt des Starts</translation>
    </message>
    <message>
        <source>&amp;Cancel launch</source>
        <translation>Start &amp;abbrechen</translation>
    </message>
    <message>
        <source>Show or hide the list of problems</source>
        <translation>Liste der Probleme ein- oder ausblenden</translation>
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
        <source>&amp;Take the file&apos;s text</source>
        <translation>Text der Datei über&amp;nehmen</translation>
    </message>
    <message>
        <source>&amp;Keep this text</source>
        <translation>Diesen Text &amp;behalten</translation>
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
        <source>Undo: %1</source>
        <translation>Rückgängig: %1</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>Wiederholen: %1</translation>
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
        <source>Problems: %1</source>
        <translation>Probleme: %1</translation>
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
        <source>Remo&amp;ve</source>
        <translation>Ent&amp;fernen</translation>
    </message>
    <message>
        <source>Set for (&amp;1)</source>
        <translation>Gesetzt für (&amp;1)</translation>
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
</context>
<context>
    <name>lockstep::IssuesView</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
</context>
<context>
    <name>lockstep::LogFilterBar</name>
    <message>
        <source>Show only lines of some ranks</source>
        <translation>Nur Zeilen mancher Ränge zeigen</translation>
    </message>
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
    <message>
        <source>Filter lines by text</source>
        <translation>Zeilen nach Text filtern</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>Groß-/Kleinschreibung beachten</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>Alle Ränge</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Node agents</source>
        <translation>Knotenagenten</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n Rang</numerusform>
            <numerusform>%n Ränge</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (at character %2)</source>
        <translation>%1 (an Zeichen %2)</translation>
    </message>
</context>
<context>
    <name>lockstep::LogFindBar</name>
    <message>
        <source>Find in the lines shown</source>
        <translation>In den gezeigten Zeilen suchen</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
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
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
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
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Keep the newest line in sight (End). Scrolling up ends it.</source>
        <translation>Die neueste Zeile im Blick behalten (Ende). Hochscrollen beendet es.</translation>
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
        <source>1 line</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>%1, %2 hidden by filter</source>
        <translation>%1, %2 vom Filter verborgen</translation>
    </message>
    <message>
        <source>No lines yet: the first arrive when a node has started.</source>
        <translation>Noch keine Zeilen: die ersten kommen, wenn ein Knoten gestartet ist.</translation>
    </message>
    <message>
        <source>The filter hides all %1 lines.</source>
        <translation>Der Filter verbirgt alle %1 Zeilen.</translation>
    </message>
</context>
<context>
    <name>lockstep::MainWindow</name>
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
        <source>%1 of %n ranks.</source>
        <translation>
            <numerusform>%1 von %n Rang.</numerusform>
            <numerusform>%1 von %n Rängen.</numerusform>
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
        <source>100 % is one core</source>
        <translation>100 % ist ein Kern</translation>
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
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Last sample</source>
        <translation>Letzter Wert</translation>
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
        <source>Back to the list of runs (Esc); the run goes on</source>
        <translation>Zurück zur Liste der Läufe (Esc); der Lauf geht weiter</translation>
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
</context>
<context>
    <name>lockstep::RunPage</name>
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
</context>
<context>
    <name>lockstep::RunsController</name>
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
</context>
<context>
    <name>lockstep::RunsPage</name>
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
        <source>Filter by name, state, place …</source>
        <translation>Nach Name, Zustand, Ort filtern …</translation>
    </message>
    <message>
        <source>Filter the runs</source>
        <translation>Läufe filtern</translation>
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
        <source>It has not ended: it goes on in the service and may cost money, and this list will not show it.</source>
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
        <source>Checked at %1 in %2 s; nothing was created or changed</source>
        <translation>Geprüft um %1 in %2 s; nichts wurde angelegt oder geändert</translation>
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
        <source>&amp;Profile</source>
        <translation>P&amp;rofil</translation>
    </message>
    <message>
        <source>The profile of the OCI config file that requests are signed with</source>
        <translation>Das Profil der OCI-Konfigurationsdatei, mit dem Anfragen unterschrieben werden</translation>
    </message>
    <message>
        <source>Start a region on this machine and sign in to it: nothing leaves this machine and nothing is billed</source>
        <translation>Eine Region auf diesem Rechner starten und sich dort anmelden: nichts verlässt diesen Rechner, und nichts wird berechnet</translation>
    </message>
    <message>
        <source>&amp;Check all (F5)</source>
        <translation>Alles &amp;prüfen (F5)</translation>
    </message>
    <message>
        <source>Progress of the check</source>
        <translation>Fortschritt der Prüfung</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
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
        <source>%1 of %2 ready</source>
        <translation>%1 von %2 bereit</translation>
    </message>
    <message>
        <source>A check is under way</source>
        <translation>Eine Prüfung läuft</translation>
    </message>
    <message>
        <source>Ask the service about every step; nothing is created or changed</source>
        <translation>Den Dienst nach jedem Schritt fragen; nichts wird angelegt oder geändert</translation>
    </message>
    <message>
        <source>Choose a profile first, or use the rehearsal region</source>
        <translation>Wählen Sie zuerst ein Profil, oder verwenden Sie die Probe-Region</translation>
    </message>
</context>
<context>
    <name>lockstep::StepDetails</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>- %1: %2</source>
        <translation>- %1: %2</translation>
    </message>
    <message>
        <source>  evidence: %1</source>
        <translation>  Beleg: %1</translation>
    </message>
    <message>
        <source>  to do: %1</source>
        <translation>  zu tun: %1</translation>
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
        <source>Checking…</source>
        <translation>Prüft …</translation>
    </message>
    <message>
        <source>Not checked yet. “Check all” asks the service; nothing is created or changed.</source>
        <translation>Noch nicht geprüft. „Alles prüfen“ fragt den Dienst; nichts wird angelegt oder geändert.</translation>
    </message>
    <message>
        <source>To do: %1</source>
        <translation>Zu tun: %1</translation>
    </message>
</context>
<context>
    <name>lockstep::StepsModel</name>
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
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>Profile and key</source>
        <translation>Profil und Schlüssel</translation>
    </message>
    <message>
        <source>The profile is complete, its key file is readable by you alone, and the service accepts requests signed with it.</source>
        <translation>Das Profil ist vollständig, seine Schlüsseldatei können nur Sie lesen, und der Dienst nimmt damit unterschriebene Anfragen an.</translation>
    </message>
    <message>
        <source>Work directory bucket</source>
        <translation>Bucket des Arbeitsverzeichnisses</translation>
    </message>
    <message>
        <source>The bucket of the work directory exists and can be read: the nodes meet there and leave their metrics.</source>
        <translation>Der Bucket des Arbeitsverzeichnisses ist da und lesbar: dort treffen sich die Knoten und legen ihre Messwerte ab.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>lockstep::TopologyStrip</name>
    <message>
        <source>1 main + 1 worker</source>
        <translation>1 Hauptknoten + 1 Worker</translation>
    </message>
    <message>
        <source>1 main + %1 workers</source>
        <translation>1 Hauptknoten + %1 Worker</translation>
    </message>
    <message>
        <source>1 main node alone</source>
        <translation>nur 1 Hauptknoten</translation>
    </message>
    <message>
        <source>World size %1: %2, one rank each</source>
        <translation>World size %1: %2, je ein Rang</translation>
    </message>
    <message>
        <source>World size %1: (%2) × %3 GPUs, one rank each</source>
        <translation>World size %1: (%2) × %3 GPUs, je ein Rang</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>Topologie</translation>
    </message>
    <message>
        <source>main</source>
        <translation>main</translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation>Worker %1</translation>
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
        <source>+ %1</source>
        <translation>+ %1</translation>
    </message>
    <message>
        <source>… rank %1</source>
        <translation>… Rang %1</translation>
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
</TS>
