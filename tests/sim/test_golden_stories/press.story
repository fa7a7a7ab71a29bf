wingedge story 1
digest 56a9ebc2c5134b5a
bodies jelly/table
frames 100
first 0
dt 0.016666666666666666

22 begin jelly/table VF v0 f1
48 change jelly/table VF v0 f1 -> FF f0 f1
49 change jelly/table FF f0 f1 -> VF v0 f1
76 end jelly/table VF v0 f1

numbers efddfead6b5354c7
22 jelly/table 0.00836053240741 1.2 0 0 -1 0.376406072319 0.0617969638404 0.00836053240741
48 jelly/table 0.0005 1.2 0 0 -1
49 jelly/table 0.0005 1.2 0 0 -1 0.488854435587 0.00105256966576 0.0005
76 jelly/table 0.0300925925926 1.2
