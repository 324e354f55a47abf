<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>HealthWords</name>
    <message numerus="yes">
        <source>%1 keeps %n rank(s) waiting in collective %2: %3</source>
        <translation>
            <numerusform>%1 keeps %n rank waiting in collective %2: %3</numerusform>
            <numerusform>%1 keeps %n ranks waiting in collective %2: %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::CallsPanel</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n call(s)</source>
        <translation>
            <numerusform>%1 of %n call</numerusform>
            <numerusform>%1 of %n calls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ClusterCanvas</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::DesignerExport</name>
    <message numerus="yes">
        <source>%n file(s) written to %1</source>
        <translation>
            <numerusform>%n file written to %1</numerusform>
            <numerusform>%n files written to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::FindingList</name>
    <message numerus="yes">
        <source>Show %n more of this kind</source>
        <translation>
            <numerusform>Show %n more of this kind</numerusform>
            <numerusform>Show %n more of this kind</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::FixPreview</name>
    <message numerus="yes">
        <source>Calls that do it (%n)</source>
        <translation>
            <numerusform>Calls that do it (%n)</numerusform>
            <numerusform>Calls that do it (%n)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::HeatCanvas</name>
    <message numerus="yes">
        <source>%1 (of %n ranks in this line)</source>
        <translation>
            <numerusform>%1 (of %n rank in this line)</numerusform>
            <numerusform>%1 (of %n ranks in this line)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::LogModel</name>
    <message numerus="yes">
        <source>%1, %n line(s) folded</source>
        <translation>
            <numerusform>%1, %n line folded</numerusform>
            <numerusform>%1, %n lines folded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::LogRankMenu</name>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::MetricPlot</name>
    <message numerus="yes">
        <source>%1 of %n ranks.</source>
        <translation>
            <numerusform>%1 of %n rank.</numerusform>
            <numerusform>%1 of %n ranks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n silent</source>
        <translation>
            <numerusform>%n silent</numerusform>
            <numerusform>%n silent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks are silent.</source>
        <translation>
            <numerusform>%n rank is silent.</numerusform>
            <numerusform>%n ranks are silent.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::RankHeatMap</name>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ReachPanel</name>
    <message numerus="yes">
        <source>and %n more; the table shows them all</source>
        <translation>
            <numerusform>and %n more; the table shows them all</numerusform>
            <numerusform>and %n more; the table shows them all</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::SetupChecks</name>
    <message numerus="yes">
        <source>last check %1, %2 s, %n read-only call(s)</source>
        <translation>
            <numerusform>last check %1, %2 s, %n read-only call</numerusform>
            <numerusform>last check %1, %2 s, %n read-only calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n call(s) of another kind by this machine meanwhile</source>
        <translation>
            <numerusform>, %n call of another kind by this machine meanwhile</numerusform>
            <numerusform>, %n calls of another kind by this machine meanwhile</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::SetupExports</name>
    <message numerus="yes">
        <source>%n statement(s) copied</source>
        <translation>
            <numerusform>%n statement copied</numerusform>
            <numerusform>%n statements copied</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::DesignerPage</name>
    <message numerus="yes">
        <source>%n set-up step(s) missing</source>
        <translation>
            <numerusform>%n set-up step missing</numerusform>
            <numerusform>%n set-up steps missing</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::FixSeriesPanel</name>
    <message numerus="yes">
        <source>%n change(s) that Lockstep can make</source>
        <translation>
            <numerusform>%n change that Lockstep can make</numerusform>
            <numerusform>%n changes that Lockstep can make</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Make %n change(s)</source>
        <translation>
            <numerusform>&amp;Make %n change</numerusform>
            <numerusform>&amp;Make %n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::SetupPage</name>
    <message numerus="yes">
        <source>Make all %n change(s) …</source>
        <translation>
            <numerusform>Make %n change …</numerusform>
            <numerusform>Make all %n changes …</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::SetupHeader</name>
    <message numerus="yes">
        <source>Nothing prevents a launch, %n step(s) with a remark</source>
        <translation>
            <numerusform>Nothing prevents a launch, %n step with a remark</numerusform>
            <numerusform>Nothing prevents a launch, %n steps with a remark</numerusform>
        </translation>
    </message>
</context>
</TS>
